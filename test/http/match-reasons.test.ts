import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readMatchReasons } from '../../src/match/reasons/read-match-reasons.js'
import { dataUrl, startService, type Service } from './_service.js'

describe('match reasons written by hand', () => {
  const { entries } = readMatchReasons('models/match-reasons')
  const reasonsFor = (name: string) =>
    entries.find(({ value }) => value.entry === name)!.value.reasons
  let service: Service
  let photo: string

  beforeAll(async () => {
    photo = await dataUrl()
    service = await startService()
  })
  afterAll(() => service.close())

  const user = (bio: string, ...interests: string[]) => ({
    id: 'u',
    photos: [photo],
    bio,
    preferences: { interests, lifestyle: [] },
  })
  async function evaluate(user_a: unknown, user_b: unknown, headers = {}) {
    const body = { user_a, user_b }
    const answer = await service.post('/v1/match/evaluate', body, headers)
    expect(answer.status).toBe(200)
    return answer.body as { reason: string; explain?: { reason: object } }
  }

  it('answer a match for which they are true, the same for swapped users and again', async () => {
    const [a, b] = [user('Potter with a kiln.', 'pottery'), user('I throw pots.', 'Pottery')]
    const { reason } = await evaluate(a, b)
    expect(reasonsFor('pottery')).toContain(reason)
    expect((await evaluate(b, a)).reason).toBe(reason)
    expect((await evaluate(a, b)).reason).toBe(reason)
  })

  it('name the rarest of what both like', async () => {
    const [a, b] = [user('One.', 'tea', 'durian', 'music'), user('Two.', 'music', 'tea', 'durian')]
    expect(reasonsFor('durian')).toContain((await evaluate(a, b)).reason)
  })

  it('vary between pairs', async () => {
    const others = Array.from({ length: 12 }, (_, i) => user(`Number ${i}.`, 'pottery'))
    const answers = await Promise.all(others.map((other) => evaluate(others[0], other)))
    expect(new Set(answers.map(({ reason }) => reason)).size).toBeGreaterThan(1)
  })

  it('are explained as written', async () => {
    const [a, b] = [user('Potter with a kiln.', 'pottery'), user('I throw pots.', 'pottery')]
    const { explain } = await evaluate(a, b, { 'X-Service-Explain': 'true' })
    expect(explain!.reason).toEqual({ source: 'written', candidates: [] })
  })

  it('are read from MATCH_REASONS_DIR, or not at all', async () => {
    const none = await startService({ env: { MATCH_REASONS_DIR: 'none' } })
    try {
      const [user_a, user_b] = [user('Potter.', 'pottery'), user('I throw pots.', 'pottery')]
      const headers = { 'X-Service-Explain': 'true' }
      const { body } = await none.post('/v1/match/evaluate', { user_a, user_b }, headers)
      expect(body.explain.reason.source).toBe('model')
    } finally {
      await none.close()
    }
  })
})
