import { setTimeout as sleep } from 'node:timers/promises'
import { createFakeModels } from './_fake-models.js'
import { dataUrl, startService, type Answer, type Service } from './_service.js'

const PREFERENCES = 'interests: pottery, sourdough; lifestyle: creative'

describe('an overloaded capability', () => {
  let service: Service
  let generations: number
  let isHeld: boolean
  let release: () => void

  beforeEach(async () => {
    generations = 0
    isHeld = true
    const released = new Promise<void>((resolve) => (release = resolve))
    const models = await createFakeModels({
      generations: async () => {
        generations += 1
        if (isHeld) await released
        return PREFERENCES
      },
    })
    const env = { LANGUAGE_SEQUENCES: '1', QUEUE_LIMIT: '1' }
    service = await startService({ models, env })
  })

  afterEach(async () => {
    release()
    await service.close()
  })

  async function ask(headers: Record<string, string> = {}): Promise<Answer> {
    const user = { id: 'u', photos: [await dataUrl()], bio: 'Sourdough, pottery and a cat.' }
    return service.post('/v1/profile/infer-preferences', { user }, headers)
  }

  async function untilBusy(): Promise<void> {
    const isBusy = async () => {
      const text = await service.context.metrics.read()
      return /^pis_requests_waiting\{capability="profile.infer_preferences"\} 1$/m.test(text)
    }
    while (!(await isBusy())) await sleep(5)
  }

  it('finishes running calls, lets some wait, and refuses the rest before any work', async () => {
    const [first, second] = [ask(), ask()]
    await untilBusy()

    const refused = await ask()

    expect(refused).toMatchObject({ status: 503, body: { error: 'overloaded' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(generations).toBe(1)
    release()
    expect((await first).status).toBe(200)
    expect((await second).status).toBe(200)
  })

  it('refuses before it reads the body', async () => {
    const admitted = [ask(), ask()]
    await untilBusy()

    const { status } = await service.post('/v1/profile/infer-preferences', 'no JSON at all')

    expect(status).toBe(503)
    release()
    await Promise.all(admitted)
  })

  it('does not charge refused calls', async () => {
    const admitted = [ask(), ask()]
    await untilBusy()
    await ask()
    release()
    await Promise.all(admitted)
    const { headers } = await ask()
    expect(headers.get('x-service-quota-used')).toBe('3')
  })

  it('still answers retries of answered requests', async () => {
    const key = { 'X-Idempotency-Key': 'f0a4c2de-6f1f-4a8e-9df0-1f3ad13d9b10' }
    isHeld = false
    await ask(key)
    isHeld = true
    const admitted = [ask(), ask()]
    await untilBusy()

    const replay = await ask(key)

    expect(replay.headers.get('idempotent-replayed')).toBe('true')
    release()
    await Promise.all(admitted)
  })

  it('reports waiting and total time in Server-Timing', async () => {
    release()
    const { headers } = await ask()
    expect(headers.get('server-timing')).toMatch(/^queue;dur=\d+\.\d, total;dur=\d+\.\d$/)
  })
})
