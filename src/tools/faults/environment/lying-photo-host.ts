import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

const DRIP_MS = 500
const CHUNK = Buffer.alloc(64 * 1_024, 0xff)
const JPEG_HEADER = Buffer.from([0xff, 0xd8, 0xff, 0xe0])

/** What a photo host can do wrong, by path. */
export const LIES: Record<string, (response: http.ServerResponse) => void> = {
  'never-answers': () => {},
  slow: (response) => {
    response.writeHead(200, { 'Content-Type': 'image/jpeg' })
    const timer = setInterval(() => response.write(JPEG_HEADER), DRIP_MS)
    response.once('close', () => clearInterval(timer))
  },
  'cut-off': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': '100000' })
    response.write(JPEG_HEADER, () => response.destroy())
  },
  'longer-than-declared': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': '4' })
    response.write(JPEG_HEADER)
    response.socket?.end(CHUNK)
  },
  endless: (response) => {
    response.writeHead(200, { 'Content-Type': 'image/jpeg' })
    const send = () => {
      while (!response.destroyed && response.write(CHUNK));
    }
    response.write(JPEG_HEADER)
    response.on('drain', send)
    send()
  },
  'redirects-in-a-circle': (response) => {
    response.writeHead(302, { Location: '/redirects-in-a-circle' }).end()
  },
  'redirects-inward': (response) => {
    response.writeHead(302, { Location: 'http://[::1]:1/' }).end()
  },
  'is-text': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end('<html>no photo</html>')
  },
  'header-only': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(JPEG_HEADER)
  },
}

export interface PhotoHost {
  baseUrl: string
  close(): void
}

/** Serves every lie under a path of its own. */
export async function startLyingPhotoHost(): Promise<PhotoHost> {
  const server = http.createServer((request, response) => {
    response.on('error', () => {})
    LIES[request.url?.slice(1) ?? '']?.(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
