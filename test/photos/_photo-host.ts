import { readFileSync } from 'node:fs'
import http, { type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import https from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'

export interface PhotoHost {
  port: number
  /** `http://127.0.0.1:port/path`, or `https://photos.test:port/path`. */
  url(path?: string): string
  /** Headers of the requests that came, in order. */
  requests: IncomingHttpHeaders[]
  /** Connections that are open now. */
  connections(): Promise<number>
  close(): Promise<void>
}

const file = (name: string) => readFileSync(new URL(`./tls/${name}`, import.meta.url), 'utf8')

/** Certificate of `photos.test`, signed by itself. */
export const certificate = file('photos.test.crt')

export function openPhotoHost(handle: RequestListener): Promise<PhotoHost> {
  return listen(http.createServer(), handle, 'http://127.0.0.1')
}

export function openSecurePhotoHost(handle: RequestListener): Promise<PhotoHost> {
  const server = https.createServer({ cert: certificate, key: file('photos.test.key') })
  return listen(server, handle, 'https://photos.test')
}

async function listen(server: Server, handle: RequestListener, base: string): Promise<PhotoHost> {
  const requests: IncomingHttpHeaders[] = []
  server.on('request', (request, response) => {
    requests.push(request.headers)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: (path = '/photo.jpg') => `${base}:${port}${path}`,
    requests,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A resolver that knows some names; each look-up of a name takes its next answer, the last one for ever. */
export function resolver(
  answers: Record<string, string[][]>,
): LookupFunction & { asked: string[] } {
  const asked: string[] = []
  const lookup: LookupFunction = (name, options, callback) => {
    const turn = asked.filter((earlier) => earlier === name).length
    asked.push(name)
    const turns = answers[name]
    const addresses = turns?.[Math.min(turn, turns.length - 1)]
    if (!addresses) {
      const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
      return callback(error, '')
    }
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (options.all) return callback(null, found)
    callback(null, found[0]!.address, found[0]!.family)
  }
  return Object.assign(lookup, { asked })
}
