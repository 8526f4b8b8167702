import type { OpenerFacts } from '../opener-facts.js'
import { createRandom } from '../random.js'
import { NEAR_TONE, type Style, type Tone } from '../styles.js'
import { compareRanks, drawRank } from '../weighted-order.js'
import type { Exemplar } from './exemplar-group.js'
import { ExemplarLibrary, type TrueExemplar } from './exemplar-library.js'
import { chooseExamples, type Example } from './choose-examples.js'
import { Exposure } from './exposure.js'

/** Enough for a choice; a dog has dozens. */
const MAX_CANDIDATES = 8

/** The exemplars of an installation, and how often each was released. */
export class Exemplars {
  readonly #library: ExemplarLibrary
  readonly #exposure: Exposure
  readonly #releases: boolean

  /** @param releases - false: they only serve as examples */
  constructor(library: ExemplarLibrary, clock: () => number, releases = true) {
    this.#library = library
    this.#releases = releases
    this.#exposure = new Exposure(clock)
  }

  /** The exemplars for one call. */
  forCall({ tenant, facts, tone, seed }: ExemplarTask): ExemplarSource {
    const exposure = this.#exposure.of(tenant, facts)
    const all = this.#releases ? this.#library.findTrue(facts) : []
    const library = this.#library
    const near = once(() => library.findNear(facts))
    return {
      examples: (style) =>
        chooseExamples(
          { near: near(), draw: (random) => library.drawGroup(random) },
          {
            style,
            tone,
            random: createRandom([seed, 'examples', style]),
            isExcluded: (exemplar) => exposure.isUsedUp(exemplar),
          },
        ),
      list: (style, tones = 'asked') => {
        const random = createRandom([seed, 'exemplars', style])
        const listed = all
          .filter(
            ({ exemplar }) =>
              exemplar.style === style &&
              isInTone(exemplar, tone) === (tones === 'asked') &&
              !exposure.isUsedUp(exemplar),
          )
          .map(({ exemplar, odds }) => {
            const ofTone = tones === 'others' || exemplar.tones.includes(tone) ? 1 : NEAR_FACTOR
            const ofBeginning = exposure.beginsAlike(exemplar) ? ALIKE_FACTOR : 1
            return { exemplar, odds: ofTone * ofBeginning * odds }
          })
        return orderByOdds(listed, random).slice(0, MAX_CANDIDATES)
      },
      release: (exemplar) => exposure.count(exemplar),
    }
  }
}

export interface ExemplarTask {
  /** Organisation and environment. */
  tenant: string
  facts: OpenerFacts
  tone: Tone
  /** The same seed gives the same order. */
  seed: string
}

export interface ExemplarSource {
  /**
   * Exemplars of a style that are true for the profile and not used up, the one to try first at the front. The odds are lower for
   * one in a near tone and for one that begins like another of the day.
   * @param tones - those of the tone asked for or a near one, or the others
   */
  list(style: Style, tones?: 'asked' | 'others'): TrueExemplar[]
  /** Exemplars of a style to show to the language model, the nearest to the profile last; none that was released. */
  examples(style: Style): Example[]
  /** Counts an exemplar that was released. */
  release(exemplar: Exemplar): void
}

/** For an installation whose openers are all written by its language model. */
export const NO_EXEMPLARS = new Exemplars(new ExemplarLibrary([]), Date.now)

function once<T>(compute: () => T): () => T {
  let result: { value: T } | undefined
  return () => (result ??= { value: compute() }).value
}

/** Of the odds of exemplars in a near tone: readers accept three in four of them in the tone asked for. */
const NEAR_FACTOR = 0.7
/** Of the odds of exemplars that begin like another of the day. */
const ALIKE_FACTOR = 0.25

/** Whether it is in the tone or a near one. */
function isInTone({ tones }: Exemplar, tone: Tone): boolean {
  return tones.includes(tone) || tones.includes(NEAR_TONE[tone])
}

/**
 * In random order; those of higher odds tend to come first. By the odds cubed, so that a hundred lines for everybody weigh less than
 * one for this person.
 */
function orderByOdds(exemplars: readonly TrueExemplar[], random: () => number): TrueExemplar[] {
  return exemplars
    .map((found) => ({ found, rank: drawRank(found.odds ** 3, random) }))
    .sort(compareRanks)
    .map(({ found }) => found)
}
