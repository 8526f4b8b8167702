import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { createFakeModels } from './_fake-models.js'
import { createPlansFile, type PlansFile } from './_plans-file.js'
import { dataUrl, startService, type Service } from './_service.js'

const LIMIT = 1_000_000
const PATH = '/v1/profile/infer-preferences'

describe('bodies that are held at the same time', () => {
  let service: Service
  let plans: PlansFile
  let release: () => void

  beforeEach(async () => {
    const released = new Promise<void>((resolve) => (release = resolve))
    const models = await createFakeModels({
      generations: () => released.then(() => 'interests: pottery; lifestyle: creative'),
    })
    plans = await createPlansFile({ requests_per_minute: 100_000 })
    const limits = { BODY_LIMIT_BYTES: String(LIMIT), BODIES_LIMIT_BYTES: '1' }
    service = await startService({ models, env: { ...limits, PLANS_FILE: plans.file } })
  })
  afterEach(async () => {
    release()
    await service.close()
    await plans.remove()
  })

  function startUpload(headers: Record<string, string | number>) {
    const request = http.request(service.baseUrl + PATH, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.apiKey}`,
        'Content-Type': 'application/json',
        ...headers,
      },
    })
    request.flushHeaders()
    return request
  }

  async function end(request: http.ClientRequest, body: string | Buffer): Promise<number> {
    request.end(body)
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    await text(response)
    return response.statusCode!
  }

  /** 400 tells that a body of so many bytes was read. */
  const send = (bytes: number) => service.post(PATH, JSON.stringify('x'.repeat(bytes - 2)))

  async function untilAnswered(status: number, bytes: number): Promise<void> {
    while ((await send(bytes)).status !== status) await sleep(5)
  }

  it('are refused from the limit on, and let in when another call has ended', async () => {
    const first = startUpload({ 'Content-Length': 600_000 })
    await untilAnswered(503, 400_001)

    const refused = await send(400_001)

    expect(refused).toMatchObject({ status: 503, body: { error: 'overloaded' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await send(400_000)).status).toBe(400)
    expect(await end(first, JSON.stringify('x'.repeat(599_998)))).toBe(400)
    expect((await send(LIMIT)).status).toBe(400)
  })

  it('are given back by a client that leaves', async () => {
    const leaving = startUpload({ 'Content-Length': LIMIT })
    await untilAnswered(503, 100)
    leaving.once('error', () => {})
    leaving.destroy()
    await untilAnswered(400, LIMIT)
    expect((await send(LIMIT)).status).toBe(400)
  })

  it.each([
    ['in chunks', (json: string) => ({ body: Buffer.from(json), headers: {} })],
    ['packed', packed],
  ])(
    'count while they arrive %s for what they may become, then for what they are',
    async (_how, prepare) => {
      const user = { id: 'u', photos: [await dataUrl()], bio: 'Potter with a kiln.' }
      const { body, headers } = prepare(JSON.stringify({ user }))
      const upload = startUpload(headers)
      await untilAnswered(503, 100)
      const answered = end(upload, body)
      await untilAnswered(400, LIMIT / 2)
      expect((await send(LIMIT)).status).toBe(503)
      release()
      expect(await answered).toBe(200)
      expect((await send(LIMIT)).status).toBe(400)
    },
  )

  it('are refused when they turn out larger than there is room for', async () => {
    await service.close()
    const models = await createFakeModels()
    const env = { BODY_LIMIT_BYTES: '20000000', BODIES_LIMIT_BYTES: '1', PLANS_FILE: plans.file }
    service = await startService({ models, env })
    const other = startUpload({ 'Content-Length': 11_000_000 })
    await untilAnswered(503, 9_100_000)

    expect(await end(startUpload({}), JSON.stringify('x'.repeat(8_500_000)))).toBe(400)
    expect(await end(startUpload({}), JSON.stringify('x'.repeat(9_500_000)))).toBe(503)
    other.once('error', () => {})
    other.destroy()
  })
})

function packed(json: string) {
  const body = gzipSync(json)
  return { body, headers: { 'Content-Encoding': 'gzip', 'Content-Length': body.length } }
}
