import type http from 'node:http'
import type { Socket } from 'node:net'
import { isFromKnownCaller } from '../telemetry/request-trace.js'

/** An open connection. */
interface Connection {
  socket: Socket
  address: string
  /** Requests that are not answered yet. */
  exchanges: Set<Exchange>
}

interface Exchange {
  request: http.IncomingMessage
  response: http.ServerResponse
}

/**
 * Keeps the number of connections within a limit. When one too many comes, one that does no work for a known caller is closed: it
 * has no request, or its request is still being sent or comes from a stranger. It is one of the address that has the most such
 * connections, the oldest idle one first: neither idle connections of one client, nor uploads that never end, nor answers that
 * nobody reads lock out the others. When every connection is at work, the new one is closed.
 */
export function limitConnections(server: http.Server, limit: number): void {
  /** In the order of their arrival. */
  const open = new Map<Socket, Connection>()

  server.on('connection', (socket: Socket) => {
    const others = [...(open.size < limit ? [] : open.values())]
    open.set(socket, { socket, address: socket.remoteAddress ?? '', exchanges: new Set() })
    socket.once('close', () => open.delete(socket))
    if (open.size > limit) (findDispensable(others)?.socket ?? socket).destroy()
  })
  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    const exchanges = open.get(request.socket)?.exchanges
    if (!exchanges) return
    const exchange = { request, response }
    exchanges.add(exchange)
    response.once('close', () => exchanges.delete(exchange))
  })
}

function findDispensable(connections: readonly Connection[]): Connection | undefined {
  const byAddress = new Map<string, Connection[]>()
  for (const connection of connections) {
    if (connection.socket.destroyed || isAtWork(connection)) continue
    const known = byAddress.get(connection.address)
    if (known) known.push(connection)
    else byAddress.set(connection.address, [connection])
  }
  let most: readonly Connection[] = []
  for (const each of byAddress.values()) if (each.length > most.length) most = each
  return most.find(({ exchanges }) => exchanges.size === 0) ?? most[0]
}

function isAtWork({ exchanges }: Connection): boolean {
  return [...exchanges].some(
    ({ request, response }) => request.complete && isFromKnownCaller(response),
  )
}
