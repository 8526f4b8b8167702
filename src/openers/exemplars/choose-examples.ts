import { NEAR_TONE, type Style, type Tone } from '../styles.js'
import type { Exemplar } from './exemplar-group.js'
import type { NearGroup } from './near-groups.js'

/** An exemplar as a prompt shows it. */
export interface Example {
  /** What the text picks up. */
  about: string
  text: string
}

export interface ExamplesTask {
  style: Style
  tone: Tone
  /** The next number in [0, 1). */
  random: () => number
  isExcluded(exemplar: Exemplar): boolean
}

/** More cost more than they teach: each takes about 30 tokens of every prompt of its style. */
const MAX_EXAMPLES = 4

// Chosen by hand: how near the subject is matters more than all three together.
const EXACT_TONE = 0.1
const CLOSE_TONE = 0.05
const GRADE_A = 0.1
/** Decides among equals. */
const CHANCE = 0.05

/** Draws from the whole library until there are enough examples; few styles are rarer than one group in five. */
const MAX_DRAWS = 60

export interface ExampleGroups {
  /** The nearest first. */
  near: readonly NearGroup[]
  /** A group that may be far. */
  draw: (random: () => number) => NearGroup | undefined
}

/**
 * Exemplars of a style, each about something else, the nearest last: a model follows best what it has read last. Where too few are near,
 * others show at least the style.
 */
export function chooseExamples({ near, draw }: ExampleGroups, task: ExamplesTask): Example[] {
  const ranked = near
    .flatMap((group) => bestOf(group, task) ?? [])
    .sort((left, right) => right.rank - left.rank)
  const chosen = new Map<string, Example>()
  const add = ({ about, text }: Example) => {
    if (chosen.size < MAX_EXAMPLES && !chosen.has(about)) chosen.set(about, { about, text })
  }
  ranked.forEach(add)
  for (let draws = 0; chosen.size < MAX_EXAMPLES && draws < MAX_DRAWS; draws++) {
    const drawn = draw(task.random)
    const best = drawn && bestOf(drawn, task)
    if (best) add(best)
  }
  return [...chosen.values()].toReversed()
}

function bestOf({ group, about, nearness }: NearGroup, task: ExamplesTask) {
  const [best] = group.exemplars
    .filter((exemplar) => exemplar.style === task.style && !task.isExcluded(exemplar))
    .map((exemplar) => ({ text: exemplar.text, rank: nearness + merit(exemplar, task) }))
    .sort((left, right) => right.rank - left.rank)
  return best && { ...best, about }
}

function merit({ tones, grade }: Exemplar, { tone, random }: ExamplesTask): number {
  const ofTone = tones.includes(tone)
    ? EXACT_TONE
    : tones.includes(NEAR_TONE[tone])
      ? CLOSE_TONE
      : 0
  return ofTone + (grade === 'B' ? 0 : GRADE_A) + CHANCE * random()
}
