import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to one request on its way to the service. */
export type Fault =
  | 'none'
  /** The connection is cut before the service hears of it. */
  | 'refuse'
  /** The service does its work, and the connection is cut before the answer arrives. */
  | 'lose answer'
  /** The connection is cut after the first piece of the answer. */
  | 'cut answer'
  /** A page without an error code, as proxies send. */
  | 'bad gateway'

export interface FaultyProxy {
  baseUrl: string
  /** Headers of the requests that came, in order. */
  requests: http.IncomingHttpHeaders[]
  close(): Promise<void>
}

/** Stands between a client and the service and lets the requests have these faults, one after the other. */
export async function startFaultyProxy(
  serviceUrl: string,
  faults: readonly Fault[],
): Promise<FaultyProxy> {
  const requests: http.IncomingHttpHeaders[] = []
  const server = http.createServer((request, response) => {
    const fault = faults[requests.length] ?? 'none'
    requests.push(request.headers)
    if (fault === 'refuse') {
      request.socket.destroy()
      return
    }
    if (fault === 'bad gateway') {
      response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')
      return
    }
    const { method, headers } = request
    const upstream = http.request(serviceUrl + request.url, { method, headers }, (answer) => {
      if (fault === 'lose answer') {
        answer.resume().once('end', () => request.socket.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      if (fault === 'cut answer') {
        answer.once('data', (chunk: Buffer) => {
          const isWhole = 'content-length' in answer.headers
          const piece = isWhole ? chunk.subarray(0, chunk.length / 2) : chunk
          response.write(piece, () => request.socket.destroy())
        })
      } else {
        answer.pipe(response)
      }
    })
    upstream.on('error', () => response.destroy())
    response.once('close', () => upstream.destroy())
    request.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
