import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { dataUrl, startService, type Service } from './_service.js'

const PATH = '/v1/profile/infer-preferences'

describe('a hostile body', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ env: { BODIES_LIMIT_BYTES: '1' } })
  })
  afterAll(() => service.close())

  const headers = (more: Record<string, string | number> = {}) => ({
    Authorization: `Bearer ${service.apiKey}`,
    'Content-Type': 'application/json',
    ...more,
  })

  function start(more: Record<string, string | number> = {}) {
    const request = http.request(service.baseUrl + PATH, { method: 'POST', headers: headers(more) })
    request.on('error', () => {})
    return request
  }

  async function answerTo(request: http.ClientRequest) {
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    const body = await text(response)
    return {
      status: response.statusCode,
      body,
      code: (JSON.parse(body) as { error: string }).error,
    }
  }

  async function send(body: Buffer, more: Record<string, string | number> = {}) {
    const request = start({ 'Content-Length': body.length, ...more })
    request.end(body)
    return answerTo(request)
  }

  const packed = (json: string) => send(gzipSync(json), { 'Content-Encoding': 'gzip' })

  it.each([
    ['nested arrays', '['.repeat(30_000_000)],
    ['nested objects', '{"a":'.repeat(5_000_000)],
    ['a list of empty objects', `[${'{},'.repeat(10_000_000)}{}]`],
    ['a list of numbers', `[${'1,'.repeat(10_000_000)}1]`],
    ['white space', ' '.repeat(30_000_000)],
    ['escaped quotes', `"${'\\"'.repeat(10_000_000)}"`],
  ])(
    'of %s is refused before it is parsed, and compressed before it is expanded',
    async (_what, json) => {
      const answer = await send(Buffer.from(json))
      expect([answer.status, answer.code]).toEqual([400, 'invalid_request'])
      expect(answer.body).toMatch(/nested too deeply|too many values/)
      const dense = await packed(json)
      expect([dense.status, dense.code]).toEqual([413, 'payload_too_large'])
    },
  )

  it('that expands beyond the limit is refused', async () => {
    const stored = gzipSync(`"${'x'.repeat(70_000_000)}"`, { level: 0 })
    const request = start({ 'Transfer-Encoding': 'chunked', 'Content-Encoding': 'gzip' })
    request.on('error', () => {})
    request.end(stored)
    const answer = await answerTo(request)
    expect([answer.status, answer.code]).toEqual([413, 'payload_too_large'])
  })

  it('with a Content-Length above the limit is refused before it is sent', async () => {
    const request = start({ 'Content-Length': 70_000_000 })
    request.flushHeaders()
    expect(await answerTo(request)).toMatchObject({ status: 413 })
    request.destroy()
  })

  it('with a long unknown field is not echoed', async () => {
    const user = { id: 'u', photos: [await dataUrl()], bio: 'Potter.', ['k'.repeat(1_000_000)]: 1 }
    const answer = await send(Buffer.from(JSON.stringify({ user })))
    expect(answer.code).toBe('invalid_request')
    expect(answer.body).toContain('unknown field')
    expect(answer.body.length).toBeLessThan(1_000)
  })

  it('that is announced but not sent uses no budget', async () => {
    const idle = Array.from({ length: 8 }, () => start({ 'Content-Length': 60_000_000 }))
    for (const request of idle) request.write('{')
    // By then the server has read the first bytes.
    await sleep(100)
    const user = { id: 'u', photos: [await dataUrl()], bio: 'Potter.' }
    const answer = await send(Buffer.from(JSON.stringify({ user })))
    for (const request of idle) request.destroy()
    expect(answer.status).toBe(200)
  })
})
