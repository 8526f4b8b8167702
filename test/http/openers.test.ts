import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openersResponseSchema } from '../../src/openers/openers-contract.js'
import { createFakeModels } from './_fake-models.js'
import { dataUrl, startService, type Service } from './_service.js'

const BIO = 'Potter with a kiln in the shed. My cat steals the sourdough.'

describe('POST /v1/conversation/openers', () => {
  let service: Service
  let photo: string
  beforeAll(async () => {
    photo = await dataUrl()
    service = await startService()
  })
  afterAll(() => service.close())

  const body = (changes: object = {}) => ({
    sender: { id: 's-1', name: 'Sam', preferences: { lifestyle: ['creative'] } },
    recipient: { id: 'r-1', photos: [photo], bio: BIO },
    ...changes,
  })

  it('returns three openers in distinct styles by default', async () => {
    const answer = await service.post('/v1/conversation/openers', body())
    expect(answer.status).toBe(200)
    const { openers } = openersResponseSchema.parse(answer.body)
    expect(openers).toHaveLength(3)
    expect(new Set(openers.map((opener) => opener.style)).size).toBe(3)
    for (const opener of openers) expect(opener.length).toBe([...opener.text].length)
  })

  it('returns as many openers as requested', async () => {
    for (const count of [1, 5]) {
      const answer = await service.post('/v1/conversation/openers', body({ count }))
      expect(answer.body.openers).toHaveLength(count)
    }
  })

  it('streams each opener as an event and ends with the whole answer', async () => {
    const answer = await service.post('/v1/conversation/openers', body(), {
      Accept: 'text/event-stream',
    })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const events = parseEvents(answer.text)
    const openers = events.filter((event) => event.name === 'opener').map((event) => event.data)
    const deltas = events
      .filter((event) => event.name === 'opener.delta')
      .map((event) => event.data)
    const done = events.at(-1)!
    expect(done.name).toBe('done')
    expect(openersResponseSchema.parse(done.data).openers).toHaveLength(3)
    expect(openers.map(({ text, style, length }) => ({ text, style, length }))).toEqual(
      done.data.openers,
    )
    for (const opener of openers) {
      const own = deltas.filter((delta) => delta.index === opener.index)
      expect(own.map((delta) => delta.text).join('')).toBe(opener.text)
    }
  })

  it.each([
    ['no photos', { photos: [] }],
    ['no photos field', { photos: undefined }],
    ['a blank bio', { bio: '  ' }],
    ['no bio field', { bio: undefined }],
  ])('refuses a recipient with %s as invalid_recipient', async (_what, change) => {
    const recipient = { id: 'r-1', photos: [photo], bio: BIO, ...change }
    const answer = await service.post('/v1/conversation/openers', body({ recipient }))
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_recipient'])
  })

  it.each([
    ['a count of 0', { count: 0 }],
    ['a count of 6', { count: 6 }],
    ['a count of 2.5', { count: 2.5 }],
    ['an unknown tone', { tone: 'sarcastic' }],
    ['a sender without a name', { sender: { id: 's-1' } }],
    ['an unknown field', { counts: 3 }],
  ])('refuses %s as invalid_request', async (_what, change) => {
    const answer = await service.post('/v1/conversation/openers', body(change))
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
  })

  it('refuses an unsafe bio and names the field', async () => {
    const recipient = { id: 'r-1', photos: [photo], bio: 'I am 15, text me on 555 010 9999' }
    const answer = await service.post('/v1/conversation/openers', body({ recipient }), {
      'X-Service-Synthetic': 'never',
    })
    expect([answer.status, answer.body.error]).toEqual([400, 'unsafe_content'])
    expect(answer.body.message).toContain('recipient.bio')
    expect(answer.text).not.toContain('555')
  })
})

describe('openers when the model misbehaves', () => {
  it('refuses an unsafe photo by its index', async () => {
    const models = await createFakeModels({
      photo: () => ({ ok: true, analysis: { embedding: new Float32Array(256), nsfw: 0.97 } }),
    })
    const service = await startService({ models })
    try {
      const body = {
        sender: { id: 's', name: 'Sam' },
        recipient: { id: 'r', photos: [await dataUrl()], bio: BIO },
      }
      const answer = await service.post('/v1/conversation/openers', body, {
        'X-Service-Synthetic': 'never',
      })
      expect([answer.status, answer.body.error]).toEqual([400, 'unsafe_content'])
      expect(answer.body.message).toContain('recipient.photos[0]')
    } finally {
      await service.close()
    }
  })

  it.each([
    ['nothing', ''],
    ['half a sentence', 'Your cat is the best thing about this'],
    ['an unrelated sentence', 'The weather is quite lovely in Paris this time of year.'],
    ['its own prompt', 'Bio: potter. Style: open_question. Your cat is great.'],
    ['the same word over and over', 'Cat cat cat cat cat cat cat.'],
    ['a phone number', 'Your cat told me to text 555 010 9999 today.'],
    ['a remark on looks', 'You look so sexy next to that cat of yours.'],
  ])('answers 503 and never releases %s', async (_what, text) => {
    const service = await startService({
      models: await createFakeModels({ generations: () => text }),
    })
    try {
      const answer = await service.post('/v1/conversation/openers', {
        sender: { id: 's', name: 'Sam' },
        recipient: { id: 'r', photos: [await dataUrl()], bio: BIO },
      })
      expect([answer.status, answer.body.error]).toEqual([503, 'model_unavailable'])
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    } finally {
      await service.close()
    }
  })

  it('retries with other seeds until an opener passes', async () => {
    const seeds = new Set<number>()
    const models = await createFakeModels({
      generations: (request, callIndex) => {
        seeds.add(request.sampling.seed)
        return callIndex < 2 ? 'Hm' : 'You had me at sourdough and the kiln.'
      },
    })
    const service = await startService({ models })
    try {
      const answer = await service.post('/v1/conversation/openers', {
        sender: { id: 's', name: 'Sam' },
        recipient: { id: 'r', photos: [await dataUrl()], bio: BIO },
        count: 1,
      })
      expect(answer.body.openers[0].text).toBe('You had me at sourdough and the kiln.')
      expect(seeds.size).toBeGreaterThan(2)
    } finally {
      await service.close()
    }
  })
})

function parseEvents(text: string) {
  // eslint-disable-next-line typescript/no-explicit-any
  const events: { name: string | undefined; data: any }[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ name: event, data: JSON.parse(data) }),
  })
  parser.feed(text)
  return events
}
