import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { newPhoto } from '../../example-calls.js'

export interface SlowPhotoHost {
  /** URL of a photo that no other call has named. */
  nextUrl: () => string
  close: () => void
}

/** Serves photos on the loopback interface, each after a delay. */
export async function startSlowPhotoHost(delayMs: number): Promise<SlowPhotoHost> {
  const server = http.createServer((request, response) => {
    request.resume()
    void sleep(delayMs).then(() => {
      const [, base64 = ''] = newPhoto(0).split(',')
      response.setHeader('Content-Type', 'image/jpeg')
      response.end(Buffer.from(base64, 'base64'))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let photo = 0
  return {
    nextUrl: () => `http://127.0.0.1:${port}/${photo++}.jpg`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
