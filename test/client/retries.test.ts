import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import {
  ConnectionError,
  createProfileClient,
  type ProfileClient,
  type ProfileClientOptions,
  type User,
} from '../../client/src/index.js'
import { createFakeModels } from '../http/_fake-models.js'
import { createPlansFile } from '../http/_plans-file.js'
import { dataUrl, startService, type Service, type ServiceOptions } from '../http/_service.js'
import { isOnPostgres } from '../_database.js'
import { ageRateWindows } from '../metering/_rate-windows.js'
import { startFaultyProxy, type Fault, type FaultyProxy } from './_faulty-proxy.js'

/** How long a server refuses without asking PostgreSQL again. */
const REFUSAL_TRUSTED_MS = 1_000

interface Scene {
  service: Service
  client: ProfileClient
  proxy: FaultyProxy
  /** Milliseconds of each wait before a retry. A wait takes no time, but the service's clock goes on by it. */
  waits: number[]
  responses: Response[]
}

interface SceneOptions extends Omit<ServiceOptions, 'clock'> {
  faults?: Fault[]
  client?: Partial<ProfileClientOptions>
}

describe('retries of the client', () => {
  const closers: (() => Promise<void>)[] = []
  let user: User
  beforeAll(async () => {
    user = { id: 'u', photos: [await dataUrl()], bio: 'Potter with a kiln.' }
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  async function startScene({ faults = [], client, ...options }: SceneOptions): Promise<Scene> {
    let now = Date.now()
    const service = await startService({ ...options, clock: () => now })
    closers.push(() => service.close())
    const proxy = await startFaultyProxy(service.baseUrl, faults)
    closers.push(() => proxy.close())
    const waits: number[] = []
    const responses: Response[] = []
    return {
      service,
      proxy,
      waits,
      responses,
      client: createProfileClient({
        baseUrl: proxy.baseUrl,
        apiKey: service.apiKey,
        onResponse: (response) => responses.push(response),
        sleep: async (milliseconds) => {
          waits.push(milliseconds)
          now += milliseconds
          if (isOnPostgres && responses.at(-1)?.status === 429) {
            await ageRateWindows(service.context.db, milliseconds / 1_000)
            await delay(REFUSAL_TRUSTED_MS)
          }
        },
        ...client,
      }),
    }
  }

  it.each<[Fault, string]>([
    ['refuse', 'the connection is refused'],
    ['bad gateway', 'a proxy fails'],
    ['lose answer', 'the answer is lost'],
    ['cut answer', 'the answer is cut'],
  ])('after "%s" get the answer, charged once', async (fault) => {
    const { client, proxy, responses, waits } = await startScene({ faults: [fault, fault] })
    await client.inferPreferences({ user })
    expect(proxy.requests).toHaveLength(3)
    expect(waits).toHaveLength(2)
    expect(responses.at(-1)?.status).toBe(200)
    // A first call is charged once, however often it was tried.
    await client.inferPreferences({ user })
    expect(responses.at(-1)?.headers.get('x-service-quota-used')).toBe('2')
  })

  it('keep the idempotency key of the first try, and another call has another', async () => {
    const { client, proxy } = await startScene({ faults: ['refuse', 'refuse'] })
    await client.inferPreferences({ user })
    await client.inferPreferences({ user })
    const keys = proxy.requests.map((headers) => headers['x-idempotency-key'])
    expect(keys).toHaveLength(4)
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(keys[3]).not.toBe(keys[0])
  })

  it('get the stored answer when the first one was lost', async () => {
    const { client, responses } = await startScene({ faults: ['lose answer'] })
    await client.inferPreferences({ user })
    expect(responses[0]?.headers.get('idempotent-replayed')).toBe('true')
  })

  it('use the idempotency key they are given', async () => {
    const { client, proxy, responses } = await startScene({})
    const idempotencyKey = crypto.randomUUID()
    const first = await client.inferPreferences({ user }, { idempotencyKey })
    const second = await client.inferPreferences({ user }, { idempotencyKey })
    expect(second).toEqual(first)
    expect(proxy.requests[0]?.['x-idempotency-key']).toBe(idempotencyKey)
    expect(responses[1]?.headers.get('idempotent-replayed')).toBe('true')
  })

  it('wait exactly as long as a rate limit asks', async () => {
    const plans = await createPlansFile({ requests_per_minute: 1 })
    closers.push(() => plans.remove())
    const { client, proxy, waits, responses } = await startScene({
      env: { PLANS_FILE: plans.file },
    })
    await client.inferPreferences({ user })
    await client.inferPreferences({ user })
    expect(responses.map(({ status }) => status)).toEqual([200, 429, 200])
    expect(waits).toEqual([Number(responses[1]?.headers.get('retry-after')) * 1_000])
    expect(proxy.requests).toHaveLength(3)
  })

  it('are given up when the wait would be too long', async () => {
    const plans = await createPlansFile({ requests_per_minute: 1 })
    closers.push(() => plans.remove())
    const { client, waits } = await startScene({
      env: { PLANS_FILE: plans.file },
      client: { longestWaitMs: 5_000 },
    })
    await client.inferPreferences({ user })
    await expect(client.inferPreferences({ user })).rejects.toMatchObject({ code: 'rate_limited' })
    expect(waits).toEqual([])
  })

  it('are not made when the monthly quota is used up', async () => {
    const plans = await createPlansFile({ included: 1, soft_cap: 1, hard_cap: 1 })
    closers.push(() => plans.remove())
    const { client, proxy } = await startScene({ env: { PLANS_FILE: plans.file } })
    await client.inferPreferences({ user })
    const refused = client.inferPreferences({ user })
    await expect(refused).rejects.toMatchObject({ code: 'quota_exceeded', status: 429 })
    expect(proxy.requests).toHaveLength(2)
  })

  it('are not made for a request that is refused', async () => {
    const { client, proxy } = await startScene({})
    const refused = client.inferPreferences({ user: { ...user, bio: '' } })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_user', status: 400 })
    expect(proxy.requests).toHaveLength(1)
  })

  it('end after their number, with the last failure', async () => {
    const models = await createFakeModels({ generations: () => '' })
    const { client, proxy, waits } = await startScene({ models, client: { retries: 2 } })
    const body = { sender: { id: 's', name: 'Sam' }, recipient: user }
    const failed = client.generateOpeners(body)
    await expect(failed).rejects.toMatchObject({ code: 'model_unavailable', status: 503 })
    expect(proxy.requests).toHaveLength(3)
    // The service asks for two seconds.
    expect(waits).toEqual([2_000, 2_000])
  })

  it('mend a failure inside the service', async () => {
    const { client, service, responses } = await startScene({})
    const { photoTagger } = service.context
    let calls = 0
    service.context.photoTagger = () =>
      calls++ === 0 ? Promise.reject(new Error('broken once')) : photoTagger()
    await client.inferPreferences({ user })
    expect(responses.map(({ status }) => status)).toEqual([500, 200])
  })

  it('end with a connection error when nobody answers', async () => {
    const { client, proxy, waits } = await startScene({
      faults: Array.from({ length: 9 }, () => 'refuse'),
    })
    await expect(client.inferPreferences({ user })).rejects.toBeInstanceOf(ConnectionError)
    expect(proxy.requests).toHaveLength(4)
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** i)
      expect(wait).toBeLessThanOrEqual(500 * 2 ** i)
    }
  })

  it('end at once when the caller aborts the wait', async () => {
    const controller = new AbortController()
    const { client, proxy } = await startScene({
      faults: ['refuse', 'refuse'],
      client: {
        sleep: (_milliseconds, signal) => {
          controller.abort(new Error('enough'))
          return Promise.reject(signal?.reason as Error)
        },
      },
    })
    const aborted = client.inferPreferences({ user }, { signal: controller.signal })
    await expect(aborted).rejects.toThrow('enough')
    expect(proxy.requests).toHaveLength(1)
  })

  it('wait on a timer that an abort ends', async () => {
    const controller = new AbortController()
    const { client } = await startScene({
      faults: ['bad gateway'],
      client: { sleep: undefined, onResponse: () => setTimeout(() => controller.abort(), 10) },
    })
    const aborted = client.inferPreferences({ user }, { signal: controller.signal })
    const reason: unknown = await aborted.catch((error: unknown) => error)
    expect(controller.signal.aborted).toBe(true)
    expect(reason).toBe(controller.signal.reason)
  })
})
