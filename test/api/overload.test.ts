import { setTimeout as sleep } from 'node:timers/promises'
import { createFakeModels } from './_fake-models.js'
import { dataUrl, startService, type Answer, type Service } from './_service.js'

const OPENER = 'What does the cat think of your sourdough habit?'

describe('a capability with more requests than it can work on', () => {
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
        return OPENER
      },
    })
    const env = { LANGUAGE_SEQUENCES: '1', QUEUE_LIMIT: '1' }
    service = await startService({ models, env })
  })

  afterEach(async () => {
    release()
    await service.close()
  })

  async function askForOpener(headers: Record<string, string> = {}): Promise<Answer> {
    const body = {
      sender: { id: 's', name: 'Sam' },
      recipient: { id: 'r', photos: [await dataUrl()], bio: 'Sourdough, pottery and a cat.' },
      tone: 'warm',
      count: 1,
    }
    return service.post('/v1/conversation/openers', body, headers)
  }

  async function untilBusy(): Promise<void> {
    const isBusy = async () => {
      const text = await service.context.metrics.read()
      return /^pis_requests_waiting\{capability="conversation.openers"\} 1$/m.test(text)
    }
    while (!(await isBusy())) await sleep(5)
  }

  it('finishes what it began, lets some wait, and refuses the rest before any work', async () => {
    const [first, second] = [askForOpener(), askForOpener()]
    await untilBusy()

    const refused = await askForOpener()

    expect(refused).toMatchObject({ status: 503, body: { error: 'overloaded' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(generations).toBe(1)
    release()
    expect((await first).status).toBe(200)
    expect((await second).status).toBe(200)
  })

  it('charges nothing for a refusal', async () => {
    const admitted = [askForOpener(), askForOpener()]
    await untilBusy()
    await askForOpener()
    release()
    await Promise.all(admitted)
    const { headers } = await askForOpener()
    expect(headers.get('x-service-quota-used')).toBe('3')
  })

  it('goes on answering retries of answered requests', async () => {
    const key = { 'X-Idempotency-Key': 'f0a4c2de-6f1f-4a8e-9df0-1f3ad13d9b10' }
    isHeld = false
    await askForOpener(key)
    isHeld = true
    const admitted = [askForOpener(), askForOpener()]
    await untilBusy()

    const replay = await askForOpener(key)

    expect(replay.headers.get('idempotent-replayed')).toBe('true')
    release()
    await Promise.all(admitted)
  })

  it('tells how long the answer waited and took', async () => {
    release()
    const { headers } = await askForOpener()
    expect(headers.get('server-timing')).toMatch(/^queue;dur=\d+\.\d, total;dur=\d+\.\d$/)
  })
})
