import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createParser } from 'eventsource-parser'
import { API_ROUTES } from '../../src/http/api-routes.js'
import { NO_MATCH_REASONS } from '../../src/match/reasons/reason-library.js'
import { createKey } from '../../src/organizations/api-key.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import type { Log } from '../../src/telemetry/log.js'
import { createFakeModels } from './_fake-models.js'
import { dataUrl, startService, type Service } from './_service.js'

const BIO = 'Potter with a kiln in the shed. My cat steals the sourdough.'
const EXPLAIN = { 'X-Service-Explain': 'true' }
type Route = keyof typeof API_ROUTES

describe('an explained answer', () => {
  let service: Service
  let liveKey: string
  let calls: [Route, object][]
  const logged: string[] = []
  beforeAll(async () => {
    const write: LogWriter = (message, fields) => logged.push(JSON.stringify([message, fields]))
    const log = { debug: write, info: write, warn: write, error: write }
    service = await startService({ log })
    const { organizationId } = await service.context.authenticate(`Bearer ${service.apiKey}`)
    const live = await createKey(
      service.context,
      { organizationId, name: 'Live', environment: 'live', capabilities: CAPABILITIES },
      { actor: 'test', now: Date.now() },
    )
    liveKey = live.apiKey
    const user = { id: 'u', photos: [await dataUrl()], bio: BIO }
    const preferences = { interests: ['pottery', 'cats'], lifestyle: ['creative'] }
    calls = [
      ['/v1/profile/infer-preferences', { user }],
      ['/v1/match/evaluate', { user_a: { ...user, preferences }, user_b: user }],
      ['/v1/conversation/openers', { sender: { id: 's', name: 'Sam' }, recipient: user }],
    ]
  })
  afterAll(() => service.close())

  const ask = (call: number, headers: Record<string, string> = EXPLAIN) =>
    service.post(...calls[call]!, headers)

  it.each([0, 1, 2])('adds `explain` to the plain answer: call %i', async (call) => {
    const [plain, explained] = [await ask(call, {}), await ask(call)]
    expect(plain.status).toBe(200)
    expect(Object.keys(plain.body)).not.toContain('explain')
    expect(Object.keys(explained.body)).toEqual([...Object.keys(plain.body), 'explain'])
    const { explain } = API_ROUTES[calls[call]![0]].response.parse(explained.body) as {
      explain?: { models: unknown }
    }
    expect(explain?.models).toEqual({
      vision: { packs: ['fake'], revision: 'fake' },
      language: { packs: ['fake'], revision: service.context.prompts().revision },
    })
  })

  it.each([0, 1, 2])('is refused with a live key: call %i', async (call) => {
    const answer = await ask(call, { ...EXPLAIN, Authorization: `Bearer ${liveKey}` })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    expect(answer.body.message).toContain('x-service-explain')
  })

  it('is refused for any other value of the header', async () => {
    const answer = await ask(0, { 'X-Service-Explain': 'yes' })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
  })

  it('lists the best tags of a photo with the threshold, asserted or not', async () => {
    const { body } = await ask(0)
    const { photos, thresholds } = body.explain
    expect(photos).toHaveLength(1)
    expect(photos[0].tags.length).toBeGreaterThan(3)
    const tags = photos[0].tags as { probability: number; asserted: boolean }[]
    const close = tags.filter(({ probability }) => probability >= thresholds.tag_probability)
    expect(tags.filter(({ asserted }) => asserted)).toEqual(close)
    expect(close.length).toBeLessThan(tags.length)
  })

  it('lists the entries that the model found in the bio, kept or dropped', async () => {
    const models = await createFakeModels({
      generations: () => 'interests: skydiving, sourdough; lifestyle: creative',
    })
    const other = await startService({ models })
    try {
      const { body } = await other.post(...calls[0]!, EXPLAIN)
      const entries = body.explain.bio.entries as { value: string; kept: boolean }[]
      expect(entries.map(({ value, kept }) => [value, kept])).toEqual([
        ['skydiving', false],
        ['sourdough', true],
        ['creative', false],
      ])
    } finally {
      await other.close()
    }
  })

  it('breaks the confidence of a match down into its parts', async () => {
    const user = { id: 'u', photos: [await dataUrl()], bio: 'Hello there.' }
    const preferences = { interests: ['pottery', 'sailing'], lifestyle: [] }
    const other = { ...user, bio: 'Something else entirely.', preferences }
    const body = { user_a: { ...user, preferences }, user_b: other }
    const answer = await service.post('/v1/match/evaluate', body, EXPLAIN)
    const { logit, parts } = answer.body.explain.confidence
    expect(1 / (1 + Math.exp(-logit))).toBeCloseTo(answer.body.confidence, 2)
    const contributions = Object.fromEntries(
      (parts as { part: string; contribution: number }[]).map(({ part, contribution }) => [
        part,
        contribution,
      ]),
    )
    expect(Object.keys(contributions)).toEqual(['interests', 'lifestyle', 'photos', 'bio'])
    expect(contributions.interests).toBeGreaterThan(0)
    expect(contributions.lifestyle).toBe(0)
    expect(contributions.bio).toBeLessThan(0)
    expect(answer.body.explain.signals).toHaveLength(5)
  })

  it('marks the signal that explains a match, with its evidence', async () => {
    const user = { id: 'u', photos: [await dataUrl()], bio: 'Hello there.' }
    const fond = (interest: string) => ({
      ...user,
      preferences: { interests: [interest], lifestyle: [] },
    })
    const body = { user_a: fond('pottery'), user_b: fond('sailing') }
    for (const asked of [calls[1]![1], body]) {
      const answer = await service.post('/v1/match/evaluate', asked, EXPLAIN)
      const signals = answer.body.explain.signals as ExplainedSignal[]
      const ranks = signals.map((signal) => signal.rank_score)
      expect(ranks).toEqual(ranks.toSorted((left, right) => right - left))
      const chosen = signals.filter((signal) => signal.chosen)
      const strongest = signals.find(({ evidence, related }) => evidence.length > 0 || related)
      expect(chosen).toEqual([strongest])
      expect(chosen[0]!.category).toBe(answer.body.reason_category)
    }
    const answer = await service.post('/v1/match/evaluate', body, EXPLAIN)
    const apart = answer.body.explain.signals.find(
      ({ category }: ExplainedSignal) => category === 'complementary_traits',
    )
    expect(apart).toMatchObject({ evidence: [], related: ['pottery', 'sailing'] })
  })

  it('states whose preferences were inferred', async () => {
    const { user_a, user_b } = (await ask(1)).body.explain
    expect([user_a.inferred, user_b.inferred]).toEqual([false, true])
  })

  it('states the source of the reason of a match', async () => {
    const reasons = ['It is all about cats.', 'You both enjoy pottery and the company of cats.']
    const models = await createFakeModels({
      generations: ({ turns }) =>
        turns.at(-1)!.text.includes('Match') ? reasons.shift()! : 'interests: pottery',
    })
    const other = await startService({ models, matchReasons: NO_MATCH_REASONS })
    try {
      const first = await other.post(...calls[1]!, EXPLAIN)
      expect(first.body.explain.reason).toMatchObject({
        source: 'model',
        candidates: [{ passed: false }, { passed: true, text: first.body.reason }],
      })
      const second = await other.post(...calls[1]!, EXPLAIN)
      expect(second.body.explain.reason).toEqual({ source: 'cache', candidates: [] })
    } finally {
      await other.close()
    }
  })

  it('lists all candidates with the outcome of their checks', async () => {
    const { body } = await ask(2)
    const candidates = body.explain.candidates as Candidate[]
    const released = candidates.filter((candidate) => candidate.released)
    expect(new Set(released.map(({ text }) => text))).toEqual(
      new Set(body.openers.map((opener: { text: string }) => opener.text)),
    )
    for (const { outcome } of released) expect(outcome).toBe('passed')
    expect(candidates.every(({ scores }) => Object.keys(scores).length > 0)).toBe(true)
    expect(new Set(candidates.map(({ seed }) => seed)).size).toBe(candidates.length)
  })

  it('names the check that a candidate failed', async () => {
    const models = await createFakeModels({
      generations: (_request, callIndex) =>
        callIndex === 0
          ? 'Text me on 555 010 9999 today.'
          : 'You had me at sourdough and the kiln.',
    })
    const other = await startService({ models })
    try {
      const { body } = await other.post(...calls[2]!, EXPLAIN)
      expect(body.explain.candidates[0]).toMatchObject({ outcome: 'unsafe', released: false })
    } finally {
      await other.close()
    }
  })

  it('is in the last event of a stream only', async () => {
    const { text } = await ask(2, { ...EXPLAIN, Accept: 'text/event-stream' })
    const events = parseEvents(text)
    expect(events.at(-1)).toMatchObject({ name: 'done', data: { explain: { candidates: {} } } })
    for (const { data } of events.slice(0, -1)) expect(data).not.toHaveProperty('explain')
  })

  it('is repeated for a retry, but not added to a stored answer without it', async () => {
    const retry = async (first: object, second: object) => {
      const key = { 'X-Idempotency-Key': crypto.randomUUID() }
      const [one, other] = [await ask(1, { ...key, ...first }), await ask(1, { ...key, ...second })]
      return other.text === one.text
    }
    expect(await retry(EXPLAIN, EXPLAIN)).toBe(true)
    expect(await retry({}, EXPLAIN)).toBe(true)
  })

  it('is not part of synthetic data', async () => {
    const user = { id: 'u', photos: ['https://photos.invalid/p.jpg'], bio: BIO }
    const answer = await service.post('/v1/profile/infer-preferences', { user }, EXPLAIN)
    expect(answer.headers.get('x-service-synthetic')).toBe('true')
    expect(answer.body).not.toHaveProperty('explain')
  })

  it('logs nothing of the profile', async () => {
    logged.length = 0
    const { body } = await ask(2)
    await ask(0)
    expect(logged.length).toBeGreaterThan(0)
    for (const word of ['kiln', 'sourdough', body.explain.candidates[0].text]) {
      expect(logged.join('\n')).not.toContain(word)
    }
  })
})

type LogWriter = (...entry: Parameters<Log['info']>) => void

interface ExplainedSignal {
  category: string
  rank_score: number
  evidence: string[]
  related?: string[]
  chosen: boolean
}

interface Candidate {
  text: string
  outcome: string
  released: boolean
  scores: Record<string, number>
  seed: number
}

function parseEvents(text: string) {
  const events: { name: string | undefined; data: unknown }[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ name: event, data: JSON.parse(data) }),
  })
  parser.feed(text)
  return events
}
