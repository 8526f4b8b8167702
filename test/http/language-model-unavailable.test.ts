import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/config/config.js'
import { openModels, type Models } from '../../src/inference/open-models.js'
import { createLog } from '../../src/telemetry/log.js'
import { createMetrics } from '../../src/telemetry/metrics.js'
import { readJson } from '../_read-json.js'
import { createFakeModels } from './_fake-models.js'
import { dataUrl, startService, type Service } from './_service.js'

/** A ready vision model, and a language model whose pack does not exist. */
async function createModels(): Promise<Models> {
  const fake = await createFakeModels()
  const packs = { CLIP_PACK: 'no-such-pack', LLM_PACK: 'no-such-pack' }
  const config = readConfig({ LOG_LEVEL: 'silent', ...packs })
  const real = openModels(config, { log: createLog(config.log), metrics: createMetrics() })
  const [vision] = fake.status()
  return {
    ...real,
    vision: fake.vision,
    status: () => [vision!, ...real.status().filter(({ role }) => role === 'language')],
  }
}

describe('a service whose language model', () => {
  let service: Service
  let calls: [string, object][]
  beforeAll(async () => {
    service = await startService({ models: await createModels() })
    const user = { id: 'u', photos: [await dataUrl()], bio: 'Potter with a kiln.' }
    calls = [
      ['/v1/profile/infer-preferences', { user }],
      ['/v1/conversation/openers', { sender: { id: 's', name: 'Sam' }, recipient: user }],
    ]
  })
  afterAll(() => service.close())

  const match = async (bio = 'Potter with a kiln.', headers = {}) => {
    const user = { id: 'u', photos: [await dataUrl()], bio }
    const body = { user_a: user, user_b: { ...user, id: 'v' } }
    return service.post('/v1/match/evaluate', body, { 'X-Service-Synthetic': 'never', ...headers })
  }

  it('is still loading answers a match without preferences from the other models', async () => {
    const answer = await match()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-service-synthetic')).toBeNull()
    expect(answer.body).toMatchObject({ confidence: expect.any(Number) })
  })

  it('is still loading answers model_unavailable', async () => {
    for (const [path, body] of calls) {
      const answer = await service.post(path, body)
      expect(answer).toMatchObject({ status: 503, body: { error: 'model_unavailable' } })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
  })

  it('cannot be loaded answers test keys with synthetic data', async () => {
    await service.context.models.start().catch(() => {})
    for (const [path, body] of calls) {
      const answer = await service.post(path, body)
      expect([answer.status, answer.headers.get('x-service-synthetic')]).toEqual([200, 'true'])
      const refused = await service.post(path, body, { 'X-Service-Synthetic': 'never' })
      expect(refused).toMatchObject({ status: 503, body: { error: 'model_unavailable' } })
    }
  })

  it('cannot be loaded answers a match without preferences as well, and says why', async () => {
    await service.context.models.start().catch(() => {})
    const answer = await match('Potter with a kiln and a garden.')
    expect(answer.status).toBe(200)
    expect(answer.body.reason).toMatch(/\.$/)
    const ready = await readJson(await fetch(`${service.baseUrl}/readyz`))
    expect(ready).toMatchObject({
      status: 'starting',
      models: [
        { role: 'vision' },
        { role: 'language', problem: expect.stringContaining('no-such-pack') },
      ],
    })
  })
})
