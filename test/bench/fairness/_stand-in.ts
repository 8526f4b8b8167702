import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
}

/** An HTTP server in place of the service, which remembers what it gets. */
export interface StandInServer {
  baseUrl: string
  received: ReceivedRequest[]
  openSockets: Set<Socket>
  close(): Promise<void>
}

export async function startStandIn(answer: RequestListener): Promise<StandInServer> {
  const received: ReceivedRequest[] = []
  const openSockets = new Set<Socket>()
  const server = http.createServer((request, response) => {
    received.push({ path: request.url ?? '', headers: request.headers })
    answer(request, response)
  })
  server.on('connection', (socket) => {
    openSockets.add(socket)
    socket.once('close', () => openSockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    openSockets,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Reads the body, and answers 200 with JSON. */
export const answerAtOnce: RequestListener = (request, response) => {
  request.resume().once('end', () => {
    response.setHeader('Content-Type', 'application/json')
    response.end('{"request_id":"req_0"}')
  })
}

/** Resolves when a condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}
