import type { OpenerFacts } from '../opener-facts.js'
import { createRandom } from '../random.js'
import { NEAR_TONE, type Style, type Tone } from '../styles.js'
import { compareRanks, drawRank } from '../weighted-order.js'
import type { Exemplar } from './exemplar-group.js'
import { ExemplarLibrary } from './exemplar-library.js'
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
    const weighted = all.map((exemplar) => ({ exemplar, ...weigh(exemplar, tone) }))
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
        const unused = weighted
          .filter(
            ({ exemplar, isInTone }) =>
              exemplar.style === style && isInTone === (tones === 'asked'),
          )
          .filter(({ exemplar }) => !exposure.isUsedUp(exemplar))
          .map(({ exemplar, weight }) => ({
            exemplar,
            weight: exposure.beginsAlike(exemplar) ? ALIKE_FACTOR * weight : weight,
          }))
        return orderByWeight(unused, random).slice(0, MAX_CANDIDATES)
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
   * Exemplars of a style that are true for the profile and not used up, the one to try first at the front.
   * @param tones - those of the tone asked for or a near one, or the others
   */
  list(style: Style, tones?: 'asked' | 'others'): Exemplar[]
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

const NEAR_WEIGHT = 0.25
/** Of exemplars that begin like another of the day; small enough that any other of the same odds comes first. */
const ALIKE_FACTOR = 1 / 256

/** By the odds cubed, so that a hundred lines for everybody weigh less than one for this person. */
function weigh({ tones, odds }: Exemplar, tone: Tone): { weight: number; isInTone: boolean } {
  const hasTone = tones.includes(tone)
  const isNear = tones.includes(NEAR_TONE[tone])
  return {
    weight: isNear && !hasTone ? NEAR_WEIGHT * odds ** 3 : odds ** 3,
    isInTone: hasTone || isNear,
  }
}

/** In random order; those of more weight tend to come first. */
function orderByWeight(
  exemplars: readonly { exemplar: Exemplar; weight: number }[],
  random: () => number,
): Exemplar[] {
  return exemplars
    .map(({ exemplar, weight }) => ({ exemplar, rank: drawRank(weight, random) }))
    .sort(compareRanks)
    .map(({ exemplar }) => exemplar)
}
