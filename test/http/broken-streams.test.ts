import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRecordingLog, until, type RecordingLog } from '../inference/workers/_fixture-host.js'
import { createFakeModels } from './_fake-models.js'
import { dataUrl, startService, type Service } from './_service.js'

const PATH = '/v1/conversation/openers'
const OPENER = 'You had me at sourdough and the kiln.'

describe('a stream that is interrupted after its first opener', () => {
  let service: Service
  let log: RecordingLog
  let body: unknown
  /** What the model returns after the first opener. */
  let generateNext: () => Promise<string>

  beforeEach(async () => {
    log = createRecordingLog()
    service = await start()
    const photos = [await dataUrl()]
    const bio = 'Potter with a kiln in the shed. My cat steals the sourdough.'
    body = { sender: { id: 's', name: 'Sam' }, recipient: { id: 'r', photos, bio } }
  })
  afterEach(() => service.close())

  async function start(env: Record<string, string> = {}): Promise<Service> {
    const models = await createFakeModels({
      // The first opener is the better of two candidates.
      generations: (_request, callIndex) => (callIndex < 2 ? OPENER : generateNext()),
    })
    return startService({ models, log, env })
  }

  const linesOf = (level: string) => log.lines.filter((line) => line.level === level)

  /** Reads the first opener and disconnects. */
  async function leaveAfterFirstOpener(headers: Record<string, string> = {}): Promise<string> {
    const leaving = new AbortController()
    const response = await fetch(service.baseUrl + PATH, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.apiKey}`,
        'Content-Type': 'application/json',
        Accept: 'text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
      signal: leaving.signal,
    })
    await response.body!.getReader().read()
    leaving.abort()
    await until(() => linesOf('info').some(({ fields }) => fields.status === 499))
    return response.headers.get('x-request-id')!
  }

  const reportSent = (requestId: string, opener_index?: number) =>
    service.post('/v1/events', [
      {
        ts: new Date().toISOString(),
        end_user_id: 'ab'.repeat(32),
        event: 'opener_sent',
        idempotency_key: randomUUID(),
        context: { originating_request_id: requestId, opener_index },
      },
    ])

  it('ends with an error event and logs the cause', async () => {
    generateNext = () => Promise.reject(new TypeError('canary'))
    const answer = await service.post(PATH, body, { Accept: 'text/event-stream' })
    expect(answer.status).toBe(200)
    expect(answer.text).toMatch(/event: opener\n[^]*event: error\ndata: .*"internal_error".*\n\n$/)
    expect(answer.text).not.toContain('canary')
    const requestId = answer.headers.get('x-request-id')
    expect(linesOf('error')).toMatchObject([
      { fields: { request_id: requestId, route: PATH, error: 'TypeError' } },
    ])
    expect(log.text()).toContain('broken-streams.test')
    expect(log.text()).not.toContain('canary')
    await until(() => linesOf('info').length > 0)
    expect(linesOf('info').at(-1)?.fields).toMatchObject({ status: 200, error: 'internal_error' })
  })

  it('logs no error when the client disconnects', async () => {
    let finish!: (text: string) => void
    const finished = new Promise<string>((resolve) => (finish = resolve))
    generateNext = () => finished
    await leaveAfterFirstOpener()
    finish(OPENER)
    expect(linesOf('error')).toEqual([])
  })

  it('accepts events about the streamed opener only, and is not charged', async () => {
    generateNext = () => Promise.reject(new TypeError('bug'))
    const broken = await service.post(PATH, body, { Accept: 'text/event-stream' })
    const requestId = broken.headers.get('x-request-id')!
    expect(await reportSent(requestId, 0)).toMatchObject({ status: 200, body: { accepted: 1 } })
    expect(await reportSent(requestId)).toMatchObject({ status: 200, body: { accepted: 1 } })
    expect(await reportSent(requestId, 1)).toMatchObject({ status: 400 })
    const { headers } = await service.post(PATH, {})
    expect(headers.get('x-service-quota-used')).toBe('0')
  })

  it('accepts events about that opener after the client disconnected', async () => {
    generateNext = () => new Promise(() => {})
    const requestId = await leaveAfterFirstOpener()
    let answer = await reportSent(requestId, 0)
    while (answer.status !== 200) {
      await sleep(50)
      answer = await reportSent(requestId, 0)
    }
    expect(answer.body.accepted).toBe(1)
  })

  it('is charged when the client disconnected, and stops writing', async () => {
    generateNext = () => new Promise(() => {})
    await leaveAfterFirstOpener()
    let used = '0'
    while (used === '0') {
      const { headers } = await service.post(PATH, {})
      used = headers.get('x-service-quota-used')!
    }
    expect(used).toBe('1')
  })

  it('is charged when the time of the call is over', async () => {
    await service.close()
    service = await start({ REQUEST_TIMEOUT_MS: '1000' })
    generateNext = () => new Promise(() => {})
    const answer = await service.post(PATH, body, { Accept: 'text/event-stream' })
    expect(answer.text).toMatch(/event: opener\n[^]*event: error\ndata: .*"overloaded"/)
    const { headers } = await service.post(PATH, {})
    expect(headers.get('x-service-quota-used')).toBe('1')
  })

  it('is finished for a retry when the client disconnected from a call with a key, and charged once', async () => {
    const key = { 'X-Idempotency-Key': randomUUID() }
    let finish!: (text: string) => void
    const finished = new Promise<string>((resolve) => (finish = resolve))
    generateNext = () => finished
    const requestId = await leaveAfterFirstOpener(key)

    const retry = service.post(PATH, body, key)
    finish('Does the kiln ever win against the cat?')

    const answer = await retry
    expect(answer.status).toBe(200)
    expect(answer.body.request_id).toBe(requestId)
    expect(answer.headers.get('idempotent-replayed')).toBe('true')
    const { headers } = await service.post(PATH, {})
    expect(headers.get('x-service-quota-used')).toBe('1')
  })
})
