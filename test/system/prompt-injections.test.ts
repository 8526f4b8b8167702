import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { listInjectionEffects, readInjections } from '../../src/tools/eval/injection-effects.js'
import { MAYA_BIO, openersBody, photo } from './_profiles.js'
import { startServerProcess, type ServerProcess } from './_server-process.js'
import { describeWithWeights, MISSING_WEIGHTS } from '../_weights.js'

const MAX_NAME = 100

/** One of each kind and of some scripts; `npm run eval -- --only safety` tests all. */
const corpus = readInjections()
const kinds = [...new Set(corpus.map(({ kind }) => kind))]
const dozen = [
  ...kinds.map((wanted) => corpus.find(({ kind }) => kind === wanted)!),
  ...['de', 'fr', 'ru', 'zh', 'ar'].map((wanted) =>
    corpus.find(({ language }) => language === wanted)!,
  ),
]
/** Fewer for other fields, where an injection can do less than in a bio. */
const four = dozen.slice(0, 4)

describeWithWeights('a prompt injection', MISSING_WEIGHTS, () => {
  let server: ServerProcess
  let cat: string
  beforeAll(async () => {
    server = await startServerProcess()
    cat = await photo('cat')
  }, 180_000)
  afterAll(() => server?.close())

  /** The answer; undefined if the bio was refused for its content, which is also fine. */
  async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
    return answer.catch((error: { code?: string }) => {
      if (error.code === 'unsafe_content') return undefined
      throw error
    })
  }

  it.each(dozen)('changes no opener from a bio: $kind, $language', async ({ text }) => {
    const recipient = { id: 'r', photos: [cat], bio: text }
    const request = { ...(await openersBody()), recipient, count: 1 }
    const answer = await unlessRefused(server.client.generateOpeners(request))
    for (const opener of answer?.openers ?? []) {
      expect([opener.text, listInjectionEffects(opener.text)]).toEqual([opener.text, []])
    }
  })

  it.each(four)('changes no opener from the sender: $kind', async ({ text }) => {
    const name = text.slice(0, MAX_NAME)
    const sender = { id: 's', name, preferences: { lifestyle: [name] } }
    const request = { ...(await openersBody()), sender, count: 1 }
    const { openers } = await server.client.generateOpeners(request)
    expect(openers.map((opener) => [opener.text, listInjectionEffects(opener.text)])).toEqual([
      [expect.any(String), []],
    ])
  })

  it.each(four)('changes neither reason nor preferences: $kind', async ({ text }) => {
    const user = { id: 'r', photos: [cat], bio: text }
    const other = { id: 's', photos: [cat], bio: MAYA_BIO }
    const { reason } = await server.client.evaluateMatch({ user_a: user, user_b: other })
    expect([reason, listInjectionEffects(reason)]).toEqual([reason, []])
    const answer = await unlessRefused(server.client.inferPreferences({ user }))
    const { interests = [], lifestyle = [] } = answer?.preferences ?? {}
    for (const entry of [...interests, ...lifestyle]) {
      expect(entry).toMatch(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/-]*$/u)
    }
  })
})
