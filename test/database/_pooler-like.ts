import { once } from 'node:events'
import net from 'node:net'

export interface PoolerLike {
  /** As that of the server, through this. */
  url: string
  close(): Promise<void>
}

/** The message that names the process of a connection, of 12 bytes without its type. */
const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12])

/** Passes connections to PostgreSQL on, and like a pooler tells clients another process than the one that serves them. */
export async function openPoolerLike(serverUrl: string): Promise<PoolerLike> {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<net.Socket>()
  const listener = net.createServer((client) => {
    const server = net.connect(Number(port), hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        server.destroy()
      })
    }
    client.pipe(server)
    server.on('data', (bytes) => {
      const start = bytes.indexOf(BACKEND_KEY)
      if (start !== -1) bytes.writeUInt32BE(0x7fffffff, start + BACKEND_KEY.length)
      client.write(bytes)
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(serverUrl)
  url.host = `127.0.0.1:${(listener.address() as net.AddressInfo).port}`
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
