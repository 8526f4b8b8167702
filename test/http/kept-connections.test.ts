import { once } from 'node:events'
import http from 'node:http'
import type net from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { startService, type Service } from './_service.js'

const PATH = '/v1/profile/infer-preferences'
/** Larger than the limit of a body, and much more than fits into buffers on the way. */
const LARGE = 8_000_000

describe('a connection on which a body was refused', () => {
  let service: Service
  let agent: http.Agent
  beforeAll(async () => {
    service = await startService({ env: { BODY_LIMIT_BYTES: '1000000' } })
    agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  })
  afterAll(async () => {
    agent.destroy()
    await service.close()
  })

  async function send(body: Buffer, more: Record<string, string> = {}) {
    const request = http.request(service.baseUrl + PATH, {
      method: 'POST',
      agent,
      headers: {
        Authorization: `Bearer ${service.apiKey}`,
        'Content-Type': 'application/json',
        ...more,
      },
    })
    request.end(body)
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    const { error } = JSON.parse(await text(response)) as { error: string }
    return { error, socket: request.socket as net.Socket }
  }

  it.each<[string, Buffer, Record<string, string>, string]>([
    [
      'that is too large, sent in chunks',
      Buffer.alloc(LARGE, ' '),
      { 'Transfer-Encoding': 'chunked' },
      'payload_too_large',
    ],
    [
      'that inflates to too much',
      Buffer.concat([gzipSync(Buffer.alloc(LARGE)), Buffer.alloc(500_000)]),
      { 'Content-Encoding': 'gzip' },
      'payload_too_large',
    ],
    [
      'that is damaged',
      Buffer.concat([Buffer.alloc(10), Buffer.alloc(900_000, 1)]),
      { 'Content-Encoding': 'gzip' },
      'invalid_request',
    ],
    [
      'with more behind its compressed part',
      Buffer.concat([brotliCompressSync('{}'), Buffer.alloc(900_000)]),
      { 'Content-Encoding': 'br' },
      'invalid_user',
    ],
  ])('answers the next request after a body %s', async (_what, body, headers, error) => {
    const refused = await send(body, headers)
    expect(refused.error).toBe(error)
    const next = await send(Buffer.from('{}'))
    expect(next.error).toBe('invalid_user')
    expect(next.socket).toBe(refused.socket)
  })
})
