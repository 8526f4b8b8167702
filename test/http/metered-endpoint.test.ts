import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { ServiceError } from '../../src/core/service-error.js'
import { until } from '../inference/workers/_fixture-host.js'
import { startNoOpService, type Answer, type NoOpService } from './_no-op-service.js'
import { MINUTE, SECOND } from '../organizations/_storage.js'

let service: NoOpService
let apiKey: string

beforeEach(async () => {
  service = await startNoOpService()
  apiKey = (await service.storage.issueKey({ environment: 'live' })).apiKey
})
afterEach(() => service.close())

function quotaOf({ headers }: Answer) {
  return {
    plan: headers.get('x-service-plan'),
    capability: headers.get('x-service-capability'),
    used: headers.get('x-service-quota-used'),
    included: headers.get('x-service-quota-included'),
  }
}

const quota = (used: string) => ({
  plan: 'free',
  capability: 'conversation.openers',
  used,
  included: '3',
})

const withIdempotencyKey = (key: string, more = {}) => ({
  apiKey,
  headers: { 'X-Idempotency-Key': key, ...more },
})

describe('quota headers', () => {
  it('count only answered calls', async () => {
    expect(quotaOf(await service.post({ apiKey }))).toEqual(quota('1'))
    expect(quotaOf(await service.post({ apiKey, body: {} }))).toEqual(quota('1'))
    service.work = () => Promise.reject(new ServiceError('model_unavailable', 'no'))
    const failed = await service.post({ apiKey })
    expect([failed.status, quotaOf(failed)]).toEqual([503, quota('1')])
    service.work = () => Promise.reject(new TypeError('bug'))
    const broken = await service.post({ apiKey })
    expect([broken.status, quotaOf(broken)]).toEqual([500, quota('1')])
    service.work = () => Promise.resolve('done')
    expect(quotaOf(await service.post({ apiKey }))).toEqual(quota('2'))
  })

  it('are sent even without a valid key', async () => {
    const answer = await service.post({})
    expect([answer.status, answer.code]).toEqual([401, 'missing_api_key'])
    expect(quotaOf(answer)).toEqual({ ...quota('0'), plan: 'none', included: '0' })
  })

  it('are sent when the key lacks the capability', async () => {
    const other = await service.storage.issueKey({ environment: 'live', capabilities: ['events'] })
    const answer = await service.post({ apiKey: other.apiKey })
    expect([answer.status, answer.code]).toEqual([403, 'capability_not_allowed'])
    expect(quotaOf(answer)).toEqual(quota('0'))
  })

  it('warn from the soft cap on, while calls are still answered', async () => {
    const warnings = []
    for (let call = 0; call < 3; call++) {
      const answer = await service.post({ apiKey })
      expect(answer.status).toBe(200)
      warnings.push(answer.headers.get('x-service-quota-warning'))
    }
    expect(warnings).toEqual([null, 'soft_cap_reached', 'soft_cap_reached'])
    const metric = await service.metrics.callsAboveSoftCap.get()
    expect(metric.values).toEqual([
      { value: 2, labels: { capability: 'conversation.openers', environment: 'live' } },
    ])
  })

  it('stop at the hard cap with quota_exceeded until the next month', async () => {
    for (let call = 0; call < 3; call++) await service.post({ apiKey })
    service.now = Date.UTC(2026, 6, 31, 23, 59, 50)
    const refused = await service.post({ apiKey })
    expect([refused.status, refused.code]).toEqual([429, 'quota_exceeded'])
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(quotaOf(refused)).toEqual(quota('3'))
    service.now += 10 * SECOND
    expect(quotaOf(await service.post({ apiKey }))).toEqual(quota('1'))
  })

  it('count test and live separately', async () => {
    for (let call = 0; call < 3; call++) await service.post({ apiKey })
    const test = await service.storage.issueKey({ environment: 'test' })
    expect(quotaOf(await service.post({ apiKey: test.apiKey }))).toEqual(quota('1'))
    expect((await service.post({ apiKey })).code).toBe('quota_exceeded')
  })

  it('never exceed the cap with concurrent calls', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.post({ apiKey })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ code }) => code === 'quota_exceeded')).toHaveLength(17)
    expect(quotaOf(await service.post({ apiKey }))).toEqual(quota('3'))
  })
})

describe('rate limits', () => {
  it('appear in every answer and count refused requests too', async () => {
    const first = await service.post({ apiKey, body: {} })
    expect(first.headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60')
    expect(first.headers.get('ratelimit')).toBe('"minute";r=59;t=60')
    service.now += 15 * SECOND
    for (let request = 0; request < 59; request++) await service.post({ apiKey, body: {} })
    const refused = await service.post({ apiKey })
    expect([refused.status, refused.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe('45')
    expect(refused.headers.get('ratelimit')).toBe('"minute";r=0;t=45')
    expect(quotaOf(refused)).toEqual(quota('0'))
    service.now += 45 * SECOND
    expect((await service.post({ apiKey })).status).toBe(200)
  })

  it('are not consumed by the other environment or by unknown keys', async () => {
    for (let request = 0; request < 60; request++) await service.post({ apiKey, body: {} })
    for (let request = 0; request < 61; request++) {
      expect((await service.post({})).status).toBe(401)
    }
    const test = await service.storage.issueKey({ environment: 'test' })
    expect((await service.post({ apiKey: test.apiKey })).status).toBe(200)
    expect((await service.post({ apiKey })).code).toBe('rate_limited')
  })
})

describe('an idempotency key', () => {
  it('replays the first answer byte for byte without a charge', async () => {
    const test = await service.storage.issueKey({ environment: 'test' })
    const request = { ...withIdempotencyKey(randomUUID()), apiKey: test.apiKey }
    service.work = () => Promise.reject(new ServiceError('photo_unavailable', 'no'))
    const first = await service.post(request)
    const second = await service.post(request)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.text).toBe(first.text)
    const names = ['idempotent-replayed', 'x-service-synthetic', 'content-type']
    const headersOf = ({ headers }: Answer) => names.map((name) => headers.get(name))
    const type = 'application/json; charset=utf-8'
    expect(headersOf(first)).toEqual([null, 'true', type])
    expect(headersOf(second)).toEqual(['true', 'true', type])
    expect([quotaOf(first), quotaOf(second)]).toEqual([quota('1'), quota('1')])
  })

  it('replays a stream', async () => {
    const request = withIdempotencyKey(randomUUID(), { Accept: 'text/event-stream' })
    const first = await service.post(request)
    const second = await service.post(request)
    expect(first.headers.get('content-type')).toContain('text/event-stream')
    expect(first.text).toMatch(/^event: part\ndata: .*\n\nevent: done\ndata: .*\n\n$/)
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  it('replays a JSON answer as a stream', async () => {
    const key = randomUUID()
    const json = await service.post(withIdempotencyKey(key))
    const stream = await service.post(withIdempotencyKey(key, { Accept: 'text/event-stream' }))
    expect(stream.text).toContain(`event: done\ndata: ${json.text}\n`)
  })

  it('answers concurrent duplicates from one execution', async () => {
    let executions = 0
    let finish!: () => void
    const finished = new Promise<void>((resolve) => (finish = resolve))
    service.work = async () => {
      executions++
      await finished
      return randomUUID()
    }
    const request = withIdempotencyKey(randomUUID())
    const duplicates = Array.from({ length: 5 }, () => service.post(request))
    while (executions === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    finish()
    const answers = await Promise.all(duplicates)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(executions).toBe(1)
    expect(quotaOf(await service.post(request))).toEqual(quota('1'))
  })

  it('is refused with another body, but can be reused after an error', async () => {
    const request = withIdempotencyKey(randomUUID())
    expect((await service.post({ ...request, body: {} })).code).toBe('invalid_request')
    expect((await service.post(request)).status).toBe(200)
    const reused = await service.post({ ...request, body: { value: 'b' } })
    expect([reused.status, reused.code]).toEqual([400, 'idempotency_key_reused'])
  })

  it('is independent of the same key in another scope', async () => {
    const key = randomUUID()
    const first = await service.post(withIdempotencyKey(key))
    const test = await service.storage.issueKey({ environment: 'test' })
    const other = await service.post({ ...withIdempotencyKey(key), apiKey: test.apiKey })
    expect(other.status).toBe(200)
    expect(other.text).not.toBe(first.text)
    expect(other.headers.get('idempotent-replayed')).toBeNull()
  })
})

describe('a call', () => {
  it('is not charged if its client disconnects, and its retry runs', async () => {
    const leaving = new AbortController()
    const request = withIdempotencyKey(randomUUID())
    let aborted!: () => void
    const noticed = new Promise<void>((resolve) => (aborted = resolve))
    service.work = (call) => {
      setImmediate(() => leaving.abort())
      return new Promise((_resolve, reject) => {
        call.inference.signal.addEventListener('abort', () => {
          aborted()
          reject(call.inference.signal.reason as Error)
        })
      })
    }
    const left = service.post({ ...request, signal: leaving.signal })
    await expect(left).rejects.toMatchObject({ name: 'AbortError' })
    await noticed
    service.work = () => Promise.resolve('retried')
    const retry = await service.post(request)
    expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect(quotaOf(retry)).toEqual(quota('1'))
  })

  it('is logged if it fails after its client disconnected', async () => {
    const leaving = new AbortController()
    service.work = async (call) => {
      leaving.abort()
      await once(call.inference.signal, 'abort')
      throw new TypeError('bug')
    }
    const left = service.post({ apiKey, signal: leaving.signal })
    await expect(left).rejects.toMatchObject({ name: 'AbortError' })
    const errors = () => service.log.lines.filter(({ level }) => level === 'error')
    await until(() => errors().length > 0)
    expect(errors()).toMatchObject([{ fields: { error: 'TypeError' } }])
  })

  it.each([
    ['X-Idempotency-Key', 'order-17'],
    ['X-Partner-End-User-Id', 'sam@example.org'],
    ['X-Partner-End-User-Id', 'a'.repeat(63)],
  ])('with a malformed %s is refused without repeating it', async (name, value) => {
    const answer = await service.post({ apiKey, headers: { [name]: value } })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_request'])
    expect(answer.text).toContain(name.toLowerCase())
    expect(answer.text).not.toContain(value)
  })

  it('is checked in order: key, capability, rate, body, quota', async () => {
    const { storage } = service
    const broken = { body: '{' }
    for (let call = 0; call < 3; call++) await service.post({ apiKey })
    expect((await service.post(broken)).code).toBe('missing_api_key')
    const eventsOnly = await storage.issueKey({ environment: 'live', capabilities: ['events'] })
    const notAllowed = await service.post({ ...broken, apiKey: eventsOnly.apiKey })
    expect(notAllowed.code).toBe('capability_not_allowed')
    expect((await service.post({ ...broken, apiKey })).code).toBe('invalid_request')
    expect((await service.post({ apiKey })).code).toBe('quota_exceeded')
    for (let request = 0; request < 55; request++) await service.post({ apiKey })
    expect((await service.post({ ...broken, apiKey })).code).toBe('rate_limited')
    service.now += MINUTE
    expect((await service.post({ ...broken, apiKey })).code).toBe('invalid_request')
  })
})
