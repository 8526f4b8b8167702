import type { Category } from '../categories.js'

/** One entry of each person, in alphabetical order. */
export type EntryPair = readonly [string, string]

/** One aspect of two profiles: what they have in common, or how they differ. */
export interface Signal {
  category: Category
  /** In [0, 1]; explanations report it, ranks and reasons ignore it. */
  strength: number
  /** What a reason may name: interests, lifestyle entries, photo tags or labels of ours, never words of a bio. */
  evidence: readonly string[]
  /** What a reason names when there is no evidence: see `findRelatedPair`. */
  related?: EntryPair | undefined
  /** Entries that contradict each other. */
  opposed?: EntryPair | undefined
}

/** A signal with the match model's logit for its category, comparable between categories. */
export interface RankedSignal extends Signal {
  rankScore: number
}
