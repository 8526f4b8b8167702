import { closenessOf } from './closeness.js'
import type { MatchSpace } from './match-space.js'
import type { Person, Term } from './person.js'
import type { TopicFit } from './topic-fits.js'

/** What the calibration weighs, by name; undefined where the profiles do not tell. */
export type MatchFeatures = Readonly<Record<string, number | undefined>>

/** How near the lists of two people are. */
const LISTS = {
  interests: 'interests',
  lifestyle: 'lifestyle',
  'photo tags': 'photoTags',
  bios: 'sentences',
} as const

/** Measures two people; the same both ways round. */
export function measureFeatures(
  a: Person,
  b: Person,
  { fits, standardizeCentered }: Standard & { fits: readonly TopicFit[] },
): MatchFeatures {
  const topics = fits.map(({ label, closeness }) => [
    label,
    Number.isFinite(closeness) ? closeness : undefined,
  ])
  return { ...measureLists(a, b, { standardizeCentered }), ...Object.fromEntries(topics) }
}

interface Standard {
  standardizeCentered: (cosine: number) => number
}

/**
 * Measures the lists alone.
 * @param space - where the embeddings are compared; as they are without it
 */
export function measureLists(
  a: Person,
  b: Person,
  { standardizeCentered, space }: Standard & { space?: Pick<MatchSpace, 'place'> },
): MatchFeatures {
  const embeddingsOf = (terms: readonly Term[]) =>
    terms.map(({ centered }) => (space ? space.place(centered) : centered))
  return Object.fromEntries(
    Object.entries(LISTS).flatMap(([name, list]) => {
      const [left, right] = [embeddingsOf(a[list]), embeddingsOf(b[list])]
      const closeness = closenessOf(left, right, standardizeCentered)
      return [
        [`${name}, nearest`, closeness?.nearest],
        [`${name}, overall`, closeness?.overall],
      ]
    }),
  )
}
