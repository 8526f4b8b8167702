import { once } from 'node:events'
import net from 'node:net'

export interface CuttingProxy {
  /** As that of the server, through the proxy. */
  url: string
  /** Cuts the connection of the next commit: before PostgreSQL receives it, or when it has answered. */
  cutNext(when: 'before commit' | 'after commit'): void
  close(): Promise<void>
}

/** A connection to PostgreSQL that breaks while a transaction commits. */
export async function openCuttingProxy(serverUrl: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(serverUrl)
  let cut: 'before commit' | 'after commit' | undefined
  const sockets = new Set<net.Socket>()
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(port), hostname)
    let isCut = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.end()
      })
    }
    client.on('data', (bytes) => {
      if (cut !== undefined && /\bcommit\b/i.test(bytes.toString('latin1'))) {
        isCut = cut === 'after commit'
        if (!isCut) client.destroy()
        cut = undefined
        if (!isCut) return
      }
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (isCut) client.destroy()
      else client.write(bytes)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(serverUrl)
  url.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`
  return {
    url: url.href,
    cutNext: (when) => (cut = when),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
