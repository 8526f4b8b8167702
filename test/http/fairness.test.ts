import type { ServerResponse } from 'node:http'
import { createOrganization } from '../../src/organizations/organization.js'
import { createKey } from '../../src/organizations/api-key.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import { openPhotoHost, type PhotoHost } from '../photos/_photo-host.js'
import { createFakeModels } from './_fake-models.js'
import { createPlansFile, type PlansFile } from './_plans-file.js'
import { dataUrl, startService, type Answer, type Service } from './_service.js'

const PREFERENCES = 'interests: pottery, sourdough; lifestyle: creative'
const PATH = '/v1/profile/infer-preferences'

describe('organisations that share a server', () => {
  let service: Service
  let photoHost: PhotoHost
  /** Answers that the photo host keeps its clients waiting for. */
  let held: ServerResponse[]
  let plans: PlansFile
  /** Keys of two organisations on the same plan. */
  let greedy: Record<string, string>
  let modest: Record<string, string>
  let isHeld: boolean
  let release: () => void

  beforeEach(async () => {
    isHeld = false
    const released = new Promise<void>((resolve) => (release = resolve))
    const models = await createFakeModels({
      generations: async () => {
        if (isHeld) await released
        return PREFERENCES
      },
    })
    held = []
    photoHost = await openPhotoHost((_request, response) => void held.push(response))
    plans = await createPlansFile({ requests_per_minute: 50 })
    const env = {
      LANGUAGE_SEQUENCES: '2',
      QUEUE_LIMIT: '6',
      PHOTO_ALLOW_HTTP: 'true',
      PHOTO_ALLOW_CIDR: '127.0.0.1/32',
      PLANS_FILE: plans.file,
    }
    service = await startService({ models, env })
    greedy = { Authorization: `Bearer ${service.apiKey}` }
    modest = { Authorization: `Bearer ${await createOtherKey()}` }
  })

  afterEach(async () => {
    release()
    await service.close()
    await photoHost.close()
    await plans.remove()
  })

  async function createOtherKey(): Promise<string> {
    const act = { actor: 'test', now: Date.now() }
    const { id } = await createOrganization(service.context, { name: 'Modest', plan: 'free' }, act)
    const key = {
      organizationId: id,
      name: 'Test',
      environment: 'test',
      capabilities: CAPABILITIES,
    } as const
    return (await createKey(service.context, key, act)).apiKey
  }

  async function ask(headers: Record<string, string>, photo?: string): Promise<Answer> {
    const photos = [photo ?? (await dataUrl())]
    const user = { id: 'u', photos, bio: 'Sourdough, pottery and a cat.' }
    return service.post(PATH, { user }, headers)
  }

  async function untilMetric(line: RegExp): Promise<void> {
    while (!line.test(await service.context.metrics.read())) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  it('are answered while the photo host of another one is slow', async () => {
    const slow = Array.from({ length: 20 }, (_, index) =>
      ask(greedy, photoHost.url(`/${index}.jpg`)),
    )
    while (held.length < 20) await new Promise((resolve) => setTimeout(resolve, 5))

    const answers = await Promise.all([ask(modest), ask(modest), ask(modest)])

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    held.forEach((response) => response.destroy())
    await Promise.all(slow)
  })

  it('get a place in a queue that another one has filled', async () => {
    isHeld = true
    const many = Array.from({ length: 7 }, () => ask(greedy))
    await untilMetric(/^pis_requests_waiting\{capability="profile.infer_preferences"\} 6$/m)

    const few = [ask(modest), ask(modest)]
    await untilMetric(/^pis_requests_total\{.*error="overloaded"\} 2$/m)
    release()

    expect((await Promise.all(few)).map(({ status }) => status)).toEqual([200, 200])
    const statuses = (await Promise.all(many)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 503)).toHaveLength(2)
  })

  it('do not pay with their rate limit for calls that the service could not take', async () => {
    isHeld = true
    const many = Array.from({ length: 7 }, () => ask(greedy))
    await untilMetric(/^pis_requests_waiting\{capability="profile.infer_preferences"\} 6$/m)

    const refused = await ask(greedy)
    const again = await ask(greedy)

    expect([refused.status, again.status]).toEqual([503, 503])
    expect(refused.headers.get('ratelimit')).toContain('r=43')
    expect(again.headers.get('ratelimit')).toContain('r=43')
    release()
    await Promise.all(many)
  })

  it('cannot send without end to a service that is busy', async () => {
    isHeld = true
    const many = Array.from({ length: 7 }, () => ask(greedy))
    await untilMetric(/^pis_requests_waiting\{capability="profile.infer_preferences"\} 6$/m)

    const statuses: number[] = []
    for (let count = 0; count < 200; count += 1) statuses.push((await ask(greedy)).status)

    expect(statuses.filter((status) => status === 503)).toHaveLength(193)
    expect(statuses.at(-1)).toBe(429)
    release()
    await Promise.all(many)
  })
})
