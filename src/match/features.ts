import { closenessOf } from './closeness.js'
import type { Person } from './person.js'
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
  {
    fits,
    standardizeCentered,
  }: { fits: readonly TopicFit[]; standardizeCentered: (cosine: number) => number },
): MatchFeatures {
  const lists = Object.entries(LISTS).flatMap(([name, list]) => {
    const closeness = closenessOf(a[list], b[list], standardizeCentered)
    return [
      [`${name}, nearest`, closeness?.nearest],
      [`${name}, overall`, closeness?.overall],
    ]
  })
  const topics = fits.map(({ label, closeness }) => [
    label,
    Number.isFinite(closeness) ? closeness : undefined,
  ])
  return Object.fromEntries([...lists, ...topics])
}
