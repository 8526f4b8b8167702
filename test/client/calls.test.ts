import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  createProfileClient,
  hashEndUserId,
  ProfileServiceError,
  type ProfileClient,
  type User,
} from '../../client/src/index.js'
import { dataUrl, startService, type Service } from '../http/_service.js'

describe('the client', () => {
  let service: Service
  let client: ProfileClient
  let user: User
  const responses: Response[] = []
  beforeAll(async () => {
    service = await startService()
    const { baseUrl, apiKey } = service
    client = createProfileClient({ baseUrl, apiKey, onResponse: (one) => responses.push(one) })
    user = { id: 'u', photos: [await dataUrl()], bio: 'Potter with a kiln. My cat steals it.' }
  })
  afterAll(() => service.close())

  it('plays the whole loop', async () => {
    const { preferences } = await client.inferPreferences({ user })
    expect(preferences.interests).not.toEqual([])

    const match = await client.evaluateMatch({ user_a: { ...user, preferences }, user_b: user })
    expect(match.confidence).toBeGreaterThanOrEqual(0)

    const { request_id, openers } = await client.generateOpeners({
      sender: { id: 's', name: 'Sam', preferences },
      recipient: user,
      count: 2,
    })
    expect(openers).toHaveLength(2)

    const outcome = await client.reportEvents([
      {
        ts: new Date().toISOString(),
        end_user_id: await hashEndUserId('sam@partner.example'),
        event: 'opener_sent',
        idempotency_key: crypto.randomUUID(),
        context: { originating_request_id: request_id, opener_index: 1 },
      },
    ])
    expect(outcome).toMatchObject({ accepted: 1, duplicates: 0 })
  })

  it('throws a refusal with its code, status and request', async () => {
    const refused = await failureOf(client.inferPreferences({ user: { ...user, bio: ' ' } }))
    expect(refused).toBeInstanceOf(ProfileServiceError)
    expect(refused).toMatchObject({
      code: 'invalid_user',
      status: 400,
      requestId: expect.stringMatching(/^req_/),
      retryAfterSeconds: undefined,
    })
  })

  it('throws a refused key with its code', async () => {
    const stranger = createProfileClient({ baseUrl: service.baseUrl, apiKey: 'sk_test_nonsense' })
    const refused = await failureOf(stranger.inferPreferences({ user }))
    expect(refused).toMatchObject({ code: 'invalid_api_key', status: 401 })
  })

  it('shows the headers of every response, refusals included', async () => {
    responses.length = 0
    await client.inferPreferences({ user })
    await failureOf(client.inferPreferences({ user: { ...user, bio: '' } }))
    expect(responses.map(({ status }) => status)).toEqual([200, 400])
    for (const { headers } of responses) expect(headers.has('x-service-quota-used')).toBe(true)
  })

  it('sends an end user only as a hash', async () => {
    const endUserId = await hashEndUserId('maya@partner.example')
    expect(endUserId).toBe(createHash('sha256').update('maya@partner.example').digest('hex'))
    await client.inferPreferences({ user }, { endUserId })
    const refused = await failureOf(
      client.inferPreferences({ user }, { endUserId: 'maya@partner.example' }),
    )
    expect(refused).toMatchObject({ code: 'invalid_request' })
  })

  it('asks a test key for the real error when it is told to', async () => {
    const unreachable = { ...user, photos: ['https://photos.invalid/p.jpg'] }
    responses.length = 0
    await client.inferPreferences({ user: unreachable })
    expect(responses[0]?.headers.get('x-service-synthetic')).toBe('true')
    const refused = await failureOf(
      client.inferPreferences({ user: unreachable }, { synthetic: 'never' }),
    )
    expect(refused).toMatchObject({ code: 'photo_unavailable' })
  })
})

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}
