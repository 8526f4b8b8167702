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

describe('the budget for bodies in memory', () => {
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

  /** Sends a body of that size; a 400 means that it was read. */
  const send = (bytes: number) => service.post(PATH, JSON.stringify('x'.repeat(bytes - 2)))

  async function untilAnswered(status: number, bytes: number): Promise<void> {
    while ((await send(bytes)).status !== status) await sleep(5)
  }

  it('refuses bodies beyond the limit until another call ends', async () => {
    const body = JSON.stringify('x'.repeat(599_998))
    const isHeld = service.untilRead(body.length - 1)
    const first = startUpload({ 'Content-Length': body.length })
    first.write(body.slice(0, -1))
    await isHeld
    await untilAnswered(503, 400_002)

    const refused = await send(400_002)

    expect(refused).toMatchObject({ status: 503, body: { error: 'overloaded' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await send(400_001)).status).toBe(400)
    expect(await end(first, body.slice(-1))).toBe(400)
    expect((await send(LIMIT)).status).toBe(400)
  })

  it('is released when a client disconnects', async () => {
    const isHeld = service.untilRead(LIMIT - 1)
    const leaving = startUpload({ 'Content-Length': LIMIT })
    leaving.write('x'.repeat(LIMIT - 1))
    await isHeld
    await untilAnswered(503, 100)
    leaving.once('error', () => {})
    leaving.destroy()
    await untilAnswered(400, LIMIT)
    expect((await send(LIMIT)).status).toBe(400)
  })

  it.each([
    ['in chunks', (json: string) => ({ body: Buffer.from(json), headers: {} })],
    ['compressed', compressed],
  ])('counts the full size of a body sent %s until the call ends', async (_how, prepare) => {
    const user = { id: 'u', photos: [await dataUrl()], bio: 'Potter with a kiln.' }
    const json = JSON.stringify({ user }).padEnd(LIMIT / 2)
    const { body, headers } = prepare(json)
    const isHeld = service.untilRead(body.length)
    const answered = end(startUpload(headers), body)
    await isHeld
    await untilAnswered(503, LIMIT / 2 + 1)
    expect((await send(LIMIT / 2)).status).toBe(400)
    release()
    expect(await answered).toBe(200)
    expect((await send(LIMIT)).status).toBe(400)
  })

  it('refuses a compressed body that exceeds what is left', async () => {
    const isHeld = service.untilRead(LIMIT / 2)
    const first = startUpload({ 'Content-Length': LIMIT })
    first.write('x'.repeat(LIMIT / 2))
    await isHeld
    await untilAnswered(503, LIMIT / 2 + 1)

    const { body, headers } = compressed(JSON.stringify('x'.repeat(LIMIT / 2 - 2)))
    expect(await end(startUpload(headers), body)).toBe(400)
    const larger = compressed(JSON.stringify('x'.repeat(LIMIT / 2)))
    expect(await end(startUpload(larger.headers), larger.body)).toBe(503)
    first.once('error', () => {})
    first.destroy()
  })
})

function compressed(json: string) {
  const body = gzipSync(json)
  return { body, headers: { 'Content-Encoding': 'gzip', 'Content-Length': body.length } }
}
