import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { z } from 'zod'
import { matchResponseSchema } from '../../src/match/match-contract.js'
import { openersResponseSchema } from '../../src/openers/openers-contract.js'
import { createKey } from '../../src/organizations/api-key.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import { inferPreferencesResponseSchema } from '../../src/preferences/preferences-contract.js'
import { dataUrl, startService, type Service } from './_service.js'

const UNREACHABLE = 'https://photos.invalid/p.jpg'
const BIO = 'Potter with a kiln.'
const user = { id: 'u', photos: [UNREACHABLE], bio: BIO }
const CALLS: [string, object, z.ZodType][] = [
  ['/v1/profile/infer-preferences', { user }, inferPreferencesResponseSchema],
  ['/v1/match/evaluate', { user_a: user, user_b: user }, matchResponseSchema],
  [
    '/v1/conversation/openers',
    { sender: { id: 's', name: 'Sam' }, recipient: user, count: 5 },
    openersResponseSchema,
  ],
]

describe('a test key whose photos cannot be fetched', () => {
  let service: Service
  let liveKey: string
  beforeAll(async () => {
    service = await startService()
    const { organizationId } = await service.context.authenticate(`Bearer ${service.apiKey}`)
    const live = await createKey(
      service.context,
      { organizationId, name: 'Live', environment: 'live', capabilities: CAPABILITIES },
      { actor: 'test', now: Date.now() },
    )
    liveKey = live.apiKey
  })
  afterAll(() => service.close())

  it.each(CALLS)(
    'gets a marked synthetic answer of the same schema on %s',
    async (path, body, schema) => {
      const answer = await service.post(path, body)
      expect([answer.status, answer.headers.get('x-service-synthetic')]).toEqual([200, 'true'])
      expect(schema.safeParse(answer.body).success).toBe(true)
    },
  )

  it.each(CALLS)('gets the same answer for the same request on %s', async (path, body) => {
    const [first, second] = [await service.post(path, body), await service.post(path, body)]
    expect({ ...second.body, request_id: '' }).toEqual({ ...first.body, request_id: '' })
  })

  it.each(CALLS)('gets the error on %s if it declines synthetic data', async (path, body) => {
    const answer = await service.post(path, body, { 'X-Service-Synthetic': 'never' })
    expect([answer.status, answer.body.error]).toEqual([400, 'photo_unavailable'])
  })

  it.each(CALLS)('differs from a live key, which gets the error on %s', async (path, body) => {
    const answer = await service.post(path, body, { Authorization: `Bearer ${liveKey}` })
    expect([answer.status, answer.body.error]).toEqual([400, 'photo_unavailable'])
  })

  it('streams synthetic openers like real ones', async () => {
    const [path, body] = CALLS[2]!
    const answer = await service.post(path, body, { Accept: 'text/event-stream' })
    expect(answer.headers.get('x-service-synthetic')).toBe('true')
    expect(answer.text.match(/^event: opener$/gm)).toHaveLength(5)
    expect(answer.text).toMatch(/^event: done$/m)
  })

  it('gets synthetic answers only for calls that cannot run', async () => {
    const photos = [await dataUrl()]
    const ask = (bio: string) =>
      service.post('/v1/profile/infer-preferences', { user: { id: 'u', photos, bio } })
    const unsafe = await ask('I am 15, text me on 555 010 9999')
    expect([unsafe.status, unsafe.headers.get('x-service-synthetic')]).toEqual([200, 'true'])
    expect((await ask(BIO)).headers.has('x-service-synthetic')).toBe(false)
  })
})
