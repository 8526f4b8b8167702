import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/config/config.js'
import { openModels, type Models } from '../../src/inference/open-models.js'
import { createLog } from '../../src/telemetry/log.js'
import { createMetrics } from '../../src/telemetry/metrics.js'
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
      ['/v1/match/evaluate', { user_a: user, user_b: user }],
      ['/v1/conversation/openers', { sender: { id: 's', name: 'Sam' }, recipient: user }],
    ]
  })
  afterAll(() => service.close())

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
})
