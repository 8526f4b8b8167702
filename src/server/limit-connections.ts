import type http from 'node:http'
import type { Socket } from 'node:net'

/** An open connection. */
interface Connection {
  address: string
  /** Requests that are not answered yet. */
  requests: number
}

/**
 * Keeps the number of connections within a limit. When one too many comes, the oldest connection without a request in progress is
 * closed, among those of the address that has the most: idle connections of one client cannot lock out the others. When every
 * connection is in use, the new one is closed.
 */
export function limitConnections(server: http.Server, limit: number): void {
  /** In the order of their arrival. */
  const open = new Map<Socket, Connection>()

  server.on('connection', (socket: Socket) => {
    open.set(socket, { address: socket.remoteAddress ?? '', requests: 0 })
    socket.once('close', () => open.delete(socket))
    if (open.size > limit) (findIdle(open) ?? socket).destroy()
  })
  server.on('request', ({ socket }: http.IncomingMessage, response: http.ServerResponse) => {
    const connection = open.get(socket)
    if (!connection) return
    connection.requests += 1
    response.once('close', () => (connection.requests -= 1))
  })
}

function findIdle(open: ReadonlyMap<Socket, Connection>): Socket | undefined {
  const oldest = new Map<string, { socket: Socket; count: number }>()
  for (const [socket, { address, requests }] of open) {
    if (requests > 0 || socket.destroyed) continue
    const idle = oldest.get(address)
    if (idle) idle.count += 1
    else oldest.set(address, { socket, count: 1 })
  }
  let most: { socket: Socket; count: number } | undefined
  for (const idle of oldest.values()) if (idle.count > (most?.count ?? 0)) most = idle
  return most?.socket
}
