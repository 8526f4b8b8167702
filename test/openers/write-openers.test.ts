import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { startUpCall, type InferenceCall } from '../../src/inference/inference-call.js'
import type { GenerationRequest, LanguageModel } from '../../src/inference/language/language.js'
import { loadPrompts, type Prompts } from '../../src/inference/language/prompts.js'
import type { Candidate } from '../../src/openers/assess-candidate.js'
import { ExemplarLibrary } from '../../src/openers/exemplars/exemplar-library.js'
import type { ExemplarGroup } from '../../src/openers/exemplars/exemplar-schema.js'
import { Exemplars, type ExemplarSource } from '../../src/openers/exemplars/exemplar-source.js'
import { completeFacts, type OpenerFacts } from '../../src/openers/opener-facts.js'
import type { PolicyChoice } from '../../src/openers/opener-policy.js'
import { listPossibleStyles, type Style, type Tone } from '../../src/openers/styles.js'
import { writeOpeners, type ReleasedOpener } from '../../src/openers/write-openers.js'
import { featureWeights } from './_feature-weights.js'

const FACTS = completeFacts({
  senderName: 'Sam',
  bio: 'Potter with a kiln in the shed. I bake sourdough on Sundays.',
  photoElements: ['tabby cat', 'pottery wheel'],
  likes: ['pottery', 'cats', 'baking'],
  senderLikes: ['baking', 'cats'],
  commonGround: ['baking', 'cats'],
  sharedInterests: ['baking', 'cats'],
})
const MODEL = {
  bias: 2.5,
  weights: featureWeights({ mean: 2, words: -0.5, tail: -0.5 }),
  beginnings: {},
}
const STYLES = listPossibleStyles('playful', { hasPhotoElements: true, hasCommonGround: true })
const PACK = await loadPrompts('models/smollm2-135m-openers/prompts')
const PROMPTS: Prompts = {
  ...PACK,
  openerGuidance: {
    beginnings: {
      playful_observation: ["I'd watch a film about….", "I'm a fan of….", 'Hats off to….'],
      open_question: ["What's the story behind…?", "What's next for…?", 'Who introduced you to…?'],
      photo_callback: ['Did the {photo} in your photo help with…?', 'The {photo} led me to….'],
      shared_interest: [
        "I like {shared} too. What's the best part of…?",
        'With {shared}, how is…?',
      ],
      confident_direct: ['Tell me about….', 'I want to hear about….', 'Coffee and the story of….'],
    },
    reranker: {
      fitted: {},
      sensible: MODEL,
      sent: MODEL,
    },
  },
}

/** What the fake model writes, with the mean logprob of its tokens. */
type Answer = (request: GenerationRequest) => { text: string; mean: number }

const ENDINGS = [' the kiln', ' the sourdough', ' the shed', ' pottery', ' cats']
const sensible: Answer = ({ sampling }) => ({
  text: ENDINGS[sampling.seed % ENDINGS.length]!,
  mean: -0.1,
})

const styleOf = ({ turns }: GenerationRequest) => turns.at(-1)!.text.split('Style: ')[1]!

function createLanguage(
  answer: Answer,
  asked: { beforeFirstAnswer: GenerationRequest[] },
): LanguageModel {
  let hasAnswered = false
  return {
    generate: async (request, { signal }) => {
      signal.throwIfAborted()
      if (!hasAnswered) asked.beforeFirstAnswer.push(request)
      await setImmediate()
      hasAnswered = true
      const { text, mean } = answer(request)
      return {
        text,
        finishReason: 'stop',
        promptTokens: 1,
        cachedTokens: 0,
        generatedTokens: 1,
        logprob: { mean, min: mean },
      }
    },
  }
}

interface Wanted {
  answer: Answer
  seed: string
  count: number
  call: InferenceCall
  prompts: Prompts
  choice: Pick<PolicyChoice, 'styles' | 'preference'>
  exemplars: ExemplarSource
}

const NOTHING: ExemplarSource = { list: () => [], examples: () => [], release: () => {} }

async function write({
  answer = sensible,
  seed = 'a',
  count = 3,
  call = startUpCall(),
  prompts = PROMPTS,
  choice = { styles: STYLES },
  exemplars = NOTHING,
}: Partial<Wanted> = {}) {
  const released: ReleasedOpener[] = []
  const candidates: Candidate[] = []
  const asked = { beforeFirstAnswer: [] as GenerationRequest[] }
  const openers = await writeOpeners(
    { facts: FACTS, tone: 'playful', count, seed, choice },
    {
      language: createLanguage(answer, asked),
      prompts,
      exemplars,
      call,
      onOpener: (opener) => released.push(opener),
      onCandidate: (candidate) => candidates.push(candidate),
    },
  )
  return { openers, released, candidates, asked }
}

describe('writing openers', () => {
  it('releases each opener once, in the order of the answer', async () => {
    const { openers, released } = await write({ count: 5 })
    expect(released.map(({ opener }) => opener)).toEqual(openers)
    expect(released.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4])
    expect(new Set(openers.map(({ text }) => text)).size).toBe(5)
  })

  it('writes the same openers for the same seed and different ones for another seed', async () => {
    const [first, again, other] = await Promise.all([
      write({ count: 5 }),
      write({ count: 5 }),
      write({ count: 5, seed: 'b' }),
    ])
    expect(again.openers).toEqual(first.openers)
    expect(other.openers).not.toEqual(first.openers)
  })

  it('releases only candidates that passed every check', async () => {
    const { openers, candidates } = await write({ count: 5 })
    const passed = candidates.filter(({ outcome }) => outcome === 'passed')
    const rejected = candidates.filter(({ outcome }) => outcome !== 'passed')
    expect(passed.map(({ text }) => text)).toEqual(
      expect.arrayContaining(openers.map(({ text }) => text)),
    )
    const texts = new Set(rejected.map(({ text, style }) => `${style} ${text}`))
    expect(openers.filter(({ text, style }) => texts.has(`${style} ${text}`))).toEqual([])
  })

  it('shows examples to a pack whose prompt takes them, and releases no copy of one', async () => {
    const instruct = await loadPrompts('models/prompts/instruct')
    const example = 'The kiln in the shed deserves a name and a small medal.'
    const asked: string[] = []
    const answer: Answer = ({ turns, sampling }) => {
      asked.push(turns.map(({ text }) => text).join('\n'))
      const own = 'Which loaf of sourdough has been too good to share with anybody?'
      return { text: sampling.seed % 2 === 0 ? example : own, mean: -0.1 }
    }
    const { candidates, openers } = await write({
      answer,
      count: 1,
      prompts: instruct,
      choice: { styles: ['playful_observation', 'open_question'] },
      exemplars: {
        ...NOTHING,
        examples: () => [{ about: 'The recipient has a kiln', text: example }],
      },
    })
    expect(asked[0]).toContain('The recipient has a kiln')
    expect(asked[0]).toContain(example)
    const copies = candidates.filter(({ text }) => text === example)
    expect(copies.length).toBeGreaterThan(0)
    expect(copies.every(({ outcome }) => outcome !== 'passed')).toBe(true)
    expect(openers.map(({ text }) => text)).not.toContain(example)
  })

  it('requests candidates of all styles before the first arrives', async () => {
    const { candidates, asked } = await write()
    expect(candidates.length).toBeGreaterThan(3)
    expect(new Set(asked.beforeFirstAnswer.map(styleOf)).size).toBe(3)
  })

  it('writes more candidates only for styles without a good one', async () => {
    const incoherent = ' keep it in one of them that never goes to the last kiln it had'
    const asked = new Map<string, number>()
    await write({
      answer: (request) => {
        const style = styleOf(request)
        const before = asked.get(style) ?? 0
        asked.set(style, before + 1)
        return style === 'open_question' && before < 5
          ? { text: incoherent, mean: -1.9 }
          : sensible(request)
      },
    })
    expect(asked.get('open_question')).toBeGreaterThan(asked.get('photo_callback')!)
  })

  it('tries other styles when a style yields nothing good', async () => {
    const answer: Answer = (request) =>
      request.turns.at(-1)!.text.endsWith('playful_observation')
        ? { text: ' keep it in one of them that never goes to the last kiln it had', mean: -1.9 }
        : sensible(request)
    const { openers } = await write({ answer })
    expect(openers).toHaveLength(3)
    expect(openers.map(({ style }) => style)).not.toContain('playful_observation')
  })

  it('writes new candidates of the same style in the second pass', async () => {
    const seeds: number[] = []
    const answer: Answer = (request) => {
      if (styleOf(request) !== 'open_question') return { text: ' it', mean: -1.9 }
      seeds.push(request.sampling.seed)
      return sensible(request)
    }
    const { openers } = await write({ answer, count: 2 })
    expect(openers.map(({ style }) => style)).toEqual(['open_question', 'open_question'])
    expect(new Set(seeds).size).toBe(seeds.length)
  })

  it('writes the styles in the order of the policy', async () => {
    const reversed: Style[] = STYLES.toReversed()
    const { openers } = await write({ choice: { styles: reversed }, count: 2 })
    expect(openers.map(({ style }) => style)).toEqual(['confident_direct', 'shared_interest'])
  })

  it('tries the next style of the policy when the first yields nothing good', async () => {
    const answer: Answer = (request) =>
      styleOf(request) === 'confident_direct' ? { text: ' it', mean: -1.9 } : sensible(request)
    const choice = { styles: ['confident_direct', 'photo_callback', 'open_question'] as const }
    const { openers } = await write({ choice, answer, count: 1 })
    expect(openers.map(({ style }) => style)).toEqual(['photo_callback'])
  })

  it('releases the good candidate that the policy prefers', async () => {
    const styles = ['open_question'] as const
    const { candidates } = await write({ choice: { styles }, count: 1 })
    const good = candidates.filter(
      ({ outcome, scores }) => outcome === 'passed' && scores.sense! >= 0.7,
    )
    const lengths = good.map(({ text }) => text.length)
    expect(new Set(lengths).size).toBeGreaterThan(1)
    for (const sign of [1, -1]) {
      const preference: PolicyChoice['preference'] = ({ length }) => sign * length
      const preferred = await write({ choice: { styles, preference }, count: 1 })
      const extreme = sign > 0 ? Math.max(...lengths) : Math.min(...lengths)
      expect(preferred.openers[0]!.length).toBe(extreme)
      expect(preferred.candidates.map(({ text }) => text)).toEqual(
        candidates.map(({ text }) => text),
      )
    }
  })

  it('never releases a candidate that failed a check, however much it is preferred', async () => {
    const unsafe = ' the kiln, or text me on 555 010 9999'
    const answer: Answer = (request) =>
      request.sampling.seed % 2 ? { text: unsafe, mean: -0.01 } : sensible(request)
    const preference: PolicyChoice['preference'] = ({ length }) => length
    const { openers, candidates } = await write({ answer, choice: { styles: STYLES, preference } })
    expect(candidates.some(({ text }) => text.includes('555'))).toBe(true)
    expect(openers.map(({ text }) => text).join()).not.toContain('555')
    const failed = candidates.filter(({ outcome }) => outcome !== 'passed')
    expect(failed.some(({ scores }) => 'preference' in scores)).toBe(false)
  })

  it('reports the traits of each released opener', async () => {
    const { released, candidates } = await write({ count: 5 })
    for (const { opener, traits } of released) {
      const candidate = candidates.find(({ text }) => text === opener.text)!
      expect(traits).toMatchObject({
        style: opener.style,
        length: opener.length,
        isQuestion: opener.text.includes('?'),
      })
      expect(traits.score).toBeCloseTo(candidate.scores.sense!, 3)
    }
    const shared = released.find(({ opener }) => opener.style === 'shared_interest')
    expect(shared?.traits.detail).toBe('shared')
  })

  it('uses the beginnings of all rounds in the order of the seed', async () => {
    const patterns = [
      '(Tell me|I want to hear) about the {photo}….',
      'A first lesson in {new} would be….',
      'The {photo:animal} [runs|run] the….',
      '{shared} on a Sunday is….',
      'Hats off to….',
      'I would trade {like} for….',
      'Nobody told me that {like} and {new}….',
      'The {photo:thing,tool} led me to….',
      'With the {photo} and {like}, there is….',
      'I have questions about….',
    ]
    const model = { ...MODEL, beginnings: { 'Hats off to….': -2, [patterns[0]!]: -1 } }
    const prompts = {
      ...PROMPTS,
      openerGuidance: {
        beginnings: { playful_observation: patterns },
        reranker: { fitted: {}, sensible: model, sent: model },
      },
    }
    const prefills: string[] = []
    const incoherent: Answer = ({ prefill = '', turns }) => {
      if (turns.at(-1)!.text.endsWith('playful_observation')) prefills.push(prefill)
      return { text: ' it', mean: -1.9 }
    }
    await write({ seed: 'c', count: 1, answer: incoherent, prompts }).catch(() => {})
    const order = [
      'With the tabby cat and baking, there is',
      'Baking on a Sunday is',
      'A first lesson in pottery would be',
      'I would trade pottery for',
      'I have questions about',
      'The tabby cat runs the',
      'Tell me about the pottery wheel',
      'The pottery wheel led me to',
      'Hats off to',
    ]
    expect(prefills.slice(0, 24)).toEqual([...order, ...order, ...order].slice(0, 24))
  })

  it('stops when the call is aborted', async () => {
    const controller = new AbortController()
    controller.abort(new Error('gone'))
    const call = { ...startUpCall(), signal: controller.signal }
    await expect(write({ call })).rejects.toThrow('gone')
  })
})

describe('writing openers with exemplars', () => {
  const CAT = 'The tabby cat looks as if it signed the lease.'
  const WHEEL = 'A pottery wheel forgives nobody, and everybody goes back to it.'

  const FOR_ANYBODY: ExemplarGroup = {
    when: { always: true },
    openers: [{ style: 'open_question', tones: ['playful'], text: 'What came in the post last?' }],
  }

  /** A call for the recipient of `FACTS`, with playful observations that need a photo of these things. */
  function exemplarsFor(texts: Record<string, string>) {
    const groups = Object.entries(texts).map(([tag, text]) => ({
      when: { photos: [[tag]] },
      openers: [{ style: 'playful_observation' as const, tones: ['playful' as const], text }],
    }))
    const exemplars = new Exemplars(new ExemplarLibrary(groups), () => 0)
    return () => exemplars.forCall({ tenant: 'org', facts: FACTS, tone: 'playful', seed: 'a' })
  }

  /** The texts of a first answer from a library of these groups. */
  async function releaseFrom(
    groups: ExemplarGroup[],
    { count, facts = FACTS, seed = 'a' }: { count: number; facts?: OpenerFacts; seed?: string },
  ): Promise<string[]> {
    const exemplars = new Exemplars(new ExemplarLibrary(groups), () => 0)
    const call = exemplars.forCall({ tenant: 'org', facts, tone: 'playful', seed })
    const { openers } = await write({ count, exemplars: call })
    return openers.map(({ text }) => text)
  }

  it('releases one that is true without asking the model', async () => {
    const { openers, asked, candidates } = await write({
      count: 1,
      exemplars: exemplarsFor({ 'tabby cat': CAT })(),
    })
    expect(openers).toEqual([{ text: CAT, style: 'playful_observation', length: CAT.length }])
    expect(asked.beforeFirstAnswer).toEqual([])
    expect(candidates).toMatchObject([{ text: CAT, outcome: 'passed', generated_tokens: 0 }])
  })

  it('lets the model write the styles that are left', async () => {
    const { openers } = await write({ count: 3, exemplars: exemplarsFor({ 'tabby cat': CAT })() })
    expect(openers.map(({ text }) => text)).toContain(CAT)
    expect(new Set(openers.map(({ style }) => style)).size).toBe(3)
  })

  it('does not release one that fails a check', async () => {
    const unsafe = 'Text me on +44 7700 900123 about the tabby cat.'
    const { openers, candidates } = await write({
      count: 1,
      exemplars: exemplarsFor({ 'tabby cat': unsafe })(),
    })
    expect(openers.map(({ text }) => text)).not.toContain(unsafe)
    expect(candidates[0]).toMatchObject({ text: unsafe, outcome: 'unsafe' })
  })

  it('reports each as a candidate once, also when a second of one style is released', async () => {
    const exemplars = exemplarsFor({ 'tabby cat': CAT, 'pottery wheel': WHEEL })()
    const { openers, candidates } = await write({ count: 3, exemplars })
    expect(openers.map(({ text }) => text)).toEqual(expect.arrayContaining([CAT, WHEEL]))
    const judged = candidates.filter(({ generated_tokens }) => generated_tokens === 0)
    expect(judged).toHaveLength(2)
    expect(new Set(judged.map(({ text }) => text))).toEqual(new Set([WHEEL, CAT]))
  })

  it('releases a second of a style that readers send before one that they rarely do', async () => {
    const library = [
      ...[
        ['tabby cat', CAT],
        ['pottery wheel', WHEEL],
      ].map(([tag, text]) => ({
        when: { photos: [[tag!]] },
        openers: [
          { style: 'playful_observation' as const, tones: ['playful' as const], text: text! },
        ],
      })),
      FOR_ANYBODY,
    ]
    const texts = await releaseFrom(library, { count: 3 })
    expect(new Set(texts.slice(0, 2))).toEqual(new Set([CAT, WHEEL]))
    expect(texts[2]).toBe(FOR_ANYBODY.openers[0]!.text)
  })

  it('releases a third of a style before one that would fit anybody', async () => {
    const texts = [CAT, WHEEL, 'The bookshelf has better posture than most of its readers.']
    const tags = ['tabby cat', 'pottery wheel', 'bookshelf']
    const style = 'playful_observation' as const
    const tones = ['playful' as const]
    const library = [
      ...texts.map((text, i) => ({
        when: { photos: [[tags[i]!]] },
        openers: [{ style, tones, text, grade: 'B' as const, rating: 1 }],
      })),
      FOR_ANYBODY,
    ]
    const facts = { ...FACTS, photoElements: tags }
    expect(new Set(await releaseFrom(library, { count: 3, facts }))).toEqual(new Set(texts))
  })

  it('releases one about something else before another about the same thing, whatever lines of the library they stand in', async () => {
    const style = 'playful_observation' as const
    const tones = ['playful' as const]
    const about = (any: string[], text: string) => ({
      when: { bio: [{ any }] },
      openers: [{ style, tones, text }],
    })
    const aboutCello = 'A cello takes the best seat in every car.'
    const library = [
      about(['tabby'], CAT),
      about(
        ['tabby', 'ginger tom'],
        'Somebody in that picture has whiskers and a plan for dinner.',
      ),
      about(['cello', 'cellist'], aboutCello),
    ]
    const facts = { ...FACTS, bio: 'My tabby sleeps in the cello case.' }
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
      expect(await releaseFrom(library, { count: 2, facts, seed })).toContain(aboutCello)
    }
  })

  it('releases another about the same thing before one that would fit anybody', async () => {
    const style = 'playful_observation' as const
    const tones = ['playful' as const]
    const aboutCat = [CAT, 'Somebody in that picture has whiskers and a plan for dinner.']
    const library = [
      {
        when: { bio: [{ any: ['tabby'] }] },
        openers: aboutCat.map((text) => ({ style, tones, text })),
      },
      FOR_ANYBODY,
    ]
    const facts = { ...FACTS, bio: 'My tabby runs the house.' }
    expect(new Set(await releaseFrom(library, { count: 2, facts }))).toEqual(new Set(aboutCat))
  })

  it('releases one in another tone before one that would fit anybody, and after those in the tone', async () => {
    const style = 'playful_observation' as const
    const about = (tag: string, tone: Tone, text: string) => ({
      when: { photos: [[tag]] },
      openers: [{ style, tones: [tone], text, rating: 1 }],
    })
    const library = [
      about('tabby cat', 'warm', CAT),
      about('pottery wheel', 'playful', WHEEL),
      FOR_ANYBODY,
    ]
    expect(await releaseFrom(library, { count: 2 })).toEqual([WHEEL, CAT])
  })

  it('never gives a recipient the same one twice', async () => {
    const call = exemplarsFor({ 'tabby cat': CAT, 'pottery wheel': WHEEL })
    const answers = [
      await write({ count: 1, exemplars: call() }),
      await write({ count: 1, exemplars: call() }),
      await write({ count: 1, exemplars: call() }),
    ]
    const [first, second, third] = answers.map(({ openers }) => openers[0]!.text)
    expect(new Set([first, second])).toEqual(new Set([WHEEL, CAT]))
    expect([CAT, WHEEL]).not.toContain(third)
  })

  it('releases the one that a policy prefers among those that readers would send as often', async () => {
    for (const favourite of ['shared', 'none'] as const) {
      const texts = {
        'tabby cat': CAT,
        'pottery wheel': 'It forgives nobody, and everybody goes back to it again.',
      }
      const { openers } = await write({
        count: 1,
        exemplars: exemplarsFor(texts)(),
        choice: { styles: STYLES, preference: ({ detail }) => Number(detail === favourite) },
      })
      expect(openers[0]!.text === CAT).toBe(favourite === 'shared')
    }
  })
})
