import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ServiceError } from '../../src/core/service-error.js'
import { matchResponseSchema } from '../../src/match/match-contract.js'
import { NO_MATCH_REASONS } from '../../src/match/reasons/reason-library.js'
import { until } from '../inference/workers/_fixture-host.js'
import { createFakeModels } from './_fake-models.js'
import { dataUrl, startService, type Service } from './_service.js'

describe('POST /v1/match/evaluate', () => {
  let service: Service
  let photo: string
  beforeAll(async () => {
    photo = await dataUrl()
    service = await startService()
  })
  afterAll(() => service.close())

  const user = (changes: object = {}) => ({
    id: 'u',
    photos: [photo],
    bio: 'Potter with a kiln in the shed. I sing in a choir.',
    preferences: { interests: ['pottery', 'choir singing'], lifestyle: ['creative'] },
    ...changes,
  })
  const evaluate = (user_a: unknown, user_b: unknown) =>
    service.post('/v1/match/evaluate', { user_a, user_b })

  it('returns a confidence, a category and one sentence', async () => {
    const answer = await evaluate(user(), user({ id: 'v' }))
    expect(answer.status).toBe(200)
    const match = matchResponseSchema.parse(answer.body)
    expect(match.reason).toMatch(/^\p{Lu}[^.!?]*\.$/u)
  })

  it('returns the same answer for swapped users', async () => {
    const other = user({
      bio: 'Marathon runner. Early to bed.',
      preferences: { interests: ['running', 'pottery'], lifestyle: ['active'] },
    })
    const [there, back] = [await evaluate(user(), other), await evaluate(other, user())]
    expect({ ...back.body, request_id: '' }).toEqual({ ...there.body, request_id: '' })
  })

  it('returns the same reason for swapped users with their interests in another order', async () => {
    const likes = (...interests: string[]) => user({ preferences: { interests, lifestyle: [] } })
    const models = await createFakeModels({ generations: () => 'Nothing that could be shown.' })
    const other = await startService({ models, matchReasons: NO_MATCH_REASONS })
    try {
      const [a, b] = [likes('chess', 'opera', 'tea'), likes('tea', 'opera', 'chess')]
      const ask = (user_a: unknown, user_b: unknown) =>
        other.post('/v1/match/evaluate', { user_a, user_b })
      const [there, back] = [await ask(a, b), await ask(b, a)]
      expect(there.body.reason).toMatch(/^You both enjoy \w+ and \w+\.$/)
      expect(back.body.reason).toBe(there.body.reason)
    } finally {
      await other.close()
    }
  })

  it('gives shared interests as the reason', async () => {
    const { body } = await evaluate(user(), user())
    expect(body.reason_category).toBe('shared_hobbies')
    expect(body.reason).toMatch(/pottery|choir/)
  })

  it('scores users with shared interests above users without', async () => {
    const stranger = user({
      bio: 'Tax lawyer. Golf on weekends.',
      preferences: { interests: ['golf', 'tax law'], lifestyle: ['career-focused'] },
    })
    const [alike, apart] = [await evaluate(user(), user()), await evaluate(user(), stranger)]
    expect(alike.body.confidence).toBeGreaterThan(apart.body.confidence)
  })

  it('infers the preferences of a user without any', async () => {
    const { status, body } = await evaluate(user(), user({ preferences: undefined }))
    expect(status).toBe(200)
    expect(body.reason).toMatch(/pottery|sing/)
  })

  it('calls the model only once for evidence that it fails to put into words', async () => {
    const asked: string[] = []
    const models = await createFakeModels({
      generations: () => {
        asked.push('once more')
        return 'No sentence about either of them'
      },
    })
    const other = await startService({ models, matchReasons: NO_MATCH_REASONS })
    try {
      const body = { user_a: user(), user_b: user() }
      const first = await other.post('/v1/match/evaluate', body)
      const attempts = asked.length
      const second = await other.post('/v1/match/evaluate', body)
      expect(attempts).toBeGreaterThan(0)
      expect(asked).toHaveLength(attempts)
      expect(second.body.reason).toBe(first.body.reason)
    } finally {
      await other.close()
    }
  })

  it.each(['overloaded', 'model_unavailable'] as const)(
    'answers with a plain reason, which is not cached, while the language model is %s',
    async (code) => {
      const fakes = await createFakeModels()
      let isOutOfReach = true
      const models = {
        ...fakes,
        language: {
          generate: async (...call: Parameters<typeof fakes.language.generate>) => {
            if (isOutOfReach) throw new ServiceError(code, 'Retry later.')
            return fakes.language.generate(...call)
          },
        },
      }
      const other = await startService({ models, matchReasons: NO_MATCH_REASONS })
      try {
        const headers = { 'X-Service-Synthetic': 'never', 'X-Service-Explain': 'true' }
        const ask = () =>
          other.post('/v1/match/evaluate', { user_a: user(), user_b: user() }, headers)
        const first = await ask()
        expect(first.status).toBe(200)
        expect(first.body.reason).toBe('You both enjoy pottery and choir singing.')
        isOutOfReach = false
        const second = await ask()
        expect(second.body.explain.reason.source).toBe('model')
        expect(second.body.confidence).toBe(first.body.confidence)
      } finally {
        await other.close()
      }
    },
  )

  it('never quotes an interest that is unsafe to show', async () => {
    const rude = { interests: ['fuck you all', 'kill all immigrants'], lifestyle: [] }
    const { body } = await evaluate(user({ preferences: rude }), user({ preferences: rude }))
    expect(body.reason).not.toMatch(/fuck|kill/i)
  })

  it('refuses an unsafe photo of either user', async () => {
    const models = await createFakeModels({
      photo: () => ({ ok: true, analysis: { embedding: new Float32Array(256), nsfw: 0.97 } }),
    })
    const other = await startService({ models })
    try {
      const body = { user_a: user(), user_b: user() }
      const headers = { 'X-Service-Synthetic': 'never' }
      const answer = await other.post('/v1/match/evaluate', body, headers)
      expect([answer.status, answer.body.error]).toEqual([400, 'unsafe_content'])
    } finally {
      await other.close()
    }
  })

  it('stops the work for one user when the other is refused', async () => {
    const models = await createFakeModels()
    let generation: AbortSignal | undefined
    models.language.generate = (_request, { signal }) => {
      generation = signal
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    }
    models.vision.analyzePhotos = async ([bytes]) => {
      const isCat = bytes!.length === Buffer.from(photo.split(',')[1]!, 'base64').length
      if (isCat) await until(() => generation !== undefined)
      return [{ ok: true, analysis: { embedding: new Float32Array(256), nsfw: isCat ? 0.97 : 0 } }]
    }
    const other = await startService({ models })
    try {
      const body = {
        user_a: user(),
        user_b: user({ photos: [await dataUrl('coffee.jpg')], preferences: undefined }),
      }
      const headers = { 'X-Service-Synthetic': 'never' }
      const answer = await other.post('/v1/match/evaluate', body, headers)
      expect([answer.status, answer.body.error]).toEqual([400, 'unsafe_content'])
      expect(generation?.aborted).toBe(true)
    } finally {
      await other.close()
    }
  })

  it.each([
    ['user_a without photos', { photos: [] }, {}],
    ['user_b without a bio', {}, { bio: '' }],
    ['user_b without an id', {}, { id: undefined }],
  ])('refuses %s as invalid_user', async (_what, changeA, changeB) => {
    const { status, body } = await evaluate(user(changeA), user(changeB))
    expect([status, body.error]).toEqual([400, 'invalid_user'])
  })

  it('refuses a missing user as invalid_user', async () => {
    const { status, body } = await service.post('/v1/match/evaluate', { user_a: user() })
    expect([status, body.error]).toEqual([400, 'invalid_user'])
  })

  it('refuses other shape errors as invalid_request', async () => {
    const { status, body } = await evaluate(user({ bio: 7 }), user())
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect(body.message).toContain('user_a.bio')
  })
})
