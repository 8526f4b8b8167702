import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface LocalServer {
  origin: string
  /** Every request in order, headers included. */
  requests: { path: string; headers: IncomingMessage['headers'] }[]
  close(): Promise<void>
}

/** Starts a web server on a free local port. */
export async function startServer(handle: Handler): Promise<LocalServer> {
  const requests: LocalServer['requests'] = []
  const server: Server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers })
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export interface ContentOptions {
  /** `none`: the server ignores Range and always sends the whole file. */
  ranges?: 'bytes' | 'none'
  /** Interrupts the first responses after this many bytes each, once `beforeCut` is done. */
  cutAfter?: number[]
  beforeCut?: (sentBytes: number) => Promise<void>
  etag?: string | undefined
  /** Uses chunked encoding, without Content-Length. */
  chunked?: boolean
}

/** Responds like a content server: ETag, Range with If-Range, 206, 416; can interrupt connections. */
export function contentHandler(content: Uint8Array, options: ContentOptions = {}): Handler {
  const { ranges = 'bytes', etag = `"${sha256(content)}"`, chunked = false } = options
  const cuts = [...(options.cutAfter ?? [])]
  return (request, response) => {
    const match = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')
    const ifRange = request.headers['if-range']
    const applies = ranges === 'bytes' && match && (ifRange === undefined || ifRange === etag)
    const start = applies ? Number(match[1]) : 0
    if (applies && start >= content.length) {
      response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end()
      return
    }
    const body = content.subarray(start)
    response.writeHead(applies ? 206 : 200, {
      etag,
      ...(chunked ? {} : { 'content-length': body.length }),
      ...(applies && {
        'content-range': `bytes ${start}-${content.length - 1}/${content.length}`,
      }),
    })
    const cut = cuts.shift()
    if (cut === undefined) {
      response.end(body)
      return
    }
    response.flushHeaders()
    response.write(body.subarray(0, cut))
    void options.beforeCut?.(start + cut).then(() => response.destroy())
  }
}

export function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
