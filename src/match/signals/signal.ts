import type { Category } from '../categories.js'

export type RelatedEntries = readonly [string, string]

/** What one aspect of two profiles says about them together. */
export interface Signal {
  category: Category
  /** In [0, 1], for explanations: what is told rests on the rank and the evidence alone. */
  strength(): number
  /** What it rests on: interests, lifestyle entries, photo tags or phrases of ours, never words of a bio. */
  evidence: readonly string[]
  /** One entry of each, in alphabetical order, to be named where nothing is shared: see `relatedEntries`. */
  related?: RelatedEntries | undefined
  /** One entry of each, in alphabetical order, that exclude each other. */
  opposed?: RelatedEntries | undefined
}

/** A signal with how well its category describes the two people: a logit, on a scale that all categories share. */
export interface RankedSignal extends Signal {
  rankScore: number
}
