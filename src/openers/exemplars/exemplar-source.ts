import type { OpenerFacts } from '../opener-facts.js'
import { createRandom } from '../random.js'
import type { Style, Tone } from '../styles.js'
import { compareRanks, drawRank } from '../weighted-order.js'
import { ExemplarLibrary, type Exemplar } from './exemplar-library.js'
import { Exposure } from './exposure.js'

/** Enough for a choice; a dog has dozens. */
const MAX_CANDIDATES = 8

/** The exemplars of an installation, and how often each was released. */
export class Exemplars {
  readonly #library: ExemplarLibrary
  readonly #exposure: Exposure

  constructor(library: ExemplarLibrary, clock: () => number) {
    this.#library = library
    this.#exposure = new Exposure(clock)
  }

  /** The exemplars for one call. */
  forCall({ tenant, facts, tone, seed }: ExemplarTask): ExemplarSource {
    const exposure = this.#exposure.of(tenant, facts)
    const fitting = this.#library.findTrue(facts).flatMap((exemplar) => {
      const weight = weightOf(exemplar, tone)
      return weight > 0 ? [{ exemplar, weight }] : []
    })
    return {
      list: (style) => {
        const random = createRandom([seed, 'exemplars', style])
        const unused = fitting.filter(
          ({ exemplar }) => exemplar.style === style && !exposure.isUsedUp(exemplar.id),
        )
        return orderByWeight(unused, random).slice(0, MAX_CANDIDATES)
      },
      release: ({ id }) => exposure.count(id),
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
  /** Exemplars of a style that are true for the profile and not used up, the one to try first at the front. */
  list(style: Style): Exemplar[]
  /** Counts an exemplar that was released. */
  release(exemplar: Exemplar): void
}

/** For an installation whose openers are all written by its language model. */
export const NO_EXEMPLARS = new Exemplars(new ExemplarLibrary([]), Date.now)

/** A tone that may stand in for another: teasing and dry wit are near, and so are plain warmth and plain words. */
const NEAR: Record<Tone, Tone> = {
  playful: 'witty',
  witty: 'playful',
  warm: 'direct',
  direct: 'warm',
}
const NEAR_WEIGHT = 0.25

/** Cubed, so that a hundred lines for everybody weigh less than one for this person; 0 for the wrong tone. */
function weightOf({ tones, odds }: Exemplar, tone: Tone): number {
  if (tones.includes(tone)) return odds ** 3
  return tones.includes(NEAR[tone]) ? NEAR_WEIGHT * odds ** 3 : 0
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
