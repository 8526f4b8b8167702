import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { inferPreferencesResponseSchema } from '../../src/preferences/preferences-contract.js'
import { createFakeModels } from './_fake-models.js'
import { dataUrl, startService, type Service } from './_service.js'

describe('POST /v1/profile/infer-preferences', () => {
  let service: Service
  let photo: string
  beforeAll(async () => {
    photo = await dataUrl()
    service = await startService()
  })
  afterAll(() => service.close())

  const infer = (user: object) => service.post('/v1/profile/infer-preferences', { user })
  const bio = 'Potter with a kiln in the shed and a love of sourdough.'

  it('returns evidence for every preference', async () => {
    const answer = await infer({ id: 'u', photos: [photo], bio })
    expect(answer.status).toBe(200)
    const { preferences, evidence } = inferPreferencesResponseSchema.parse(answer.body)
    expect(preferences.interests).toContain('sourdough')
    for (const value of [...preferences.interests, ...preferences.lifestyle]) {
      expect(evidence.some((piece) => piece.value === value)).toBe(true)
    }
  })

  it('states in which photo an entry was seen', async () => {
    const { body } = await infer({ id: 'u', photos: [photo, photo], bio })
    const seen = body.evidence.filter((piece: { source: string }) => piece.source === 'photo')
    expect(seen.map((piece: { photo: number }) => piece.photo)).toEqual(
      expect.arrayContaining([0, 1]),
    )
  })

  it('drops entries that the profile does not support', async () => {
    const models = await createFakeModels({
      generations: () => 'interests: skydiving, sourdough; lifestyle: zebra keeper',
    })
    const other = await startService({ models })
    try {
      const { body } = await other.post('/v1/profile/infer-preferences', {
        user: { id: 'u', photos: [photo], bio },
      })
      expect(body.preferences.interests).toContain('sourdough')
      expect(body.preferences.interests).not.toContain('skydiving')
      expect(body.preferences.lifestyle).not.toContain('zebra keeper')
    } finally {
      await other.close()
    }
  })

  it('never compares embeddings of different revisions when the model is swapped during a call', async () => {
    const answerOf = async (swapWhileReading: boolean) => {
      let revision = swapWhileReading ? 'old' : 'new'
      const fakes = await createFakeModels({
        generations: () => {
          revision = 'new'
          return 'interests: pottery, sourdough; lifestyle: creative'
        },
      })
      const { vision } = fakes
      const embed: typeof vision.embedTexts = async (...texts) => {
        const embeddings = await vision.embedTexts(...texts)
        return revision === 'new' ? embeddings.map((one) => one.toReversed()) : embeddings
      }
      const models = {
        ...fakes,
        vision: {
          ...vision,
          revision: () => revision,
          embedTexts: embed,
          embedCaptions: embed,
        },
      }
      const other = await startService({ models })
      try {
        const { body } = await other.post(
          '/v1/profile/infer-preferences',
          { user: { id: 'u', photos: [photo], bio } },
          { 'X-Service-Explain': 'true' },
        )
        const { preferences, evidence, explain } = body
        return { preferences, evidence, read: explain.bio.entries }
      } finally {
        await other.close()
      }
    }
    expect(await answerOf(true)).toEqual(await answerOf(false))
  })

  it('returns preferences that the other calls accept unchanged', async () => {
    const { body } = await infer({ id: 'u', photos: [photo], bio })
    const user = { id: 'u', photos: [photo], bio, preferences: body.preferences }
    const match = await service.post('/v1/match/evaluate', { user_a: user, user_b: user })
    const openers = await service.post('/v1/conversation/openers', {
      sender: { id: 's', name: 'Sam', preferences: body.preferences },
      recipient: { id: 'u', photos: [photo], bio },
    })
    expect([match.status, openers.status]).toEqual([200, 200])
  })

  it('refuses a user without photos as invalid_user', async () => {
    const { status, body } = await infer({ id: 'u', photos: [], bio })
    expect([status, body.error]).toEqual([400, 'invalid_user'])
  })
})
