import type http from 'node:http'
import type { Socket } from 'node:net'

/** An open connection. */
interface Connection {
  address: string
  /** Its latest request, until it is answered. */
  request: http.IncomingMessage | undefined
}

/**
 * Keeps the number of connections within a limit. When one too many comes, the oldest connection without a request is closed, among
 * those of the address that has the most; if there is none, the oldest whose request is still arriving; if every request has
 * arrived, the new connection. So a client that opens many and sends little cannot lock out the others.
 */
export function limitConnections(server: http.Server, limit: number): void {
  /** In the order of their arrival. */
  const open = new Map<Socket, Connection>()

  server.on('connection', (socket: Socket) => {
    if (open.size >= limit) (findIdle(open) ?? findUnfinished(open) ?? socket).destroy()
    open.set(socket, { address: socket.remoteAddress ?? '', request: undefined })
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    const connection = open.get(request.socket)
    if (!connection) return
    connection.request = request
    response.once('close', () => {
      if (connection.request === request) connection.request = undefined
    })
  })
}

function findIdle(open: ReadonlyMap<Socket, Connection>): Socket | undefined {
  return findOldest(open, ({ request }) => request === undefined)
}

function findUnfinished(open: ReadonlyMap<Socket, Connection>): Socket | undefined {
  return findOldest(open, ({ request }) => request?.complete === false)
}

/** The oldest connection that may be closed, of the address that has the most of them. */
function findOldest(
  open: ReadonlyMap<Socket, Connection>,
  mayClose: (connection: Connection) => boolean,
): Socket | undefined {
  const byAddress = new Map<string, { socket: Socket; count: number }>()
  for (const [socket, connection] of open) {
    if (socket.destroyed || !mayClose(connection)) continue
    const known = byAddress.get(connection.address)
    if (known) known.count += 1
    else byAddress.set(connection.address, { socket, count: 1 })
  }
  let most: { socket: Socket; count: number } | undefined
  for (const each of byAddress.values()) if (each.count > (most?.count ?? 0)) most = each
  return most?.socket
}
