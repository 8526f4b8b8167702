/** What is remembered of a released opener besides its style and length: numbers and kinds, never words. */
export interface OpenerTraits {
  isQuestion: boolean
  detail: OpenerDetail
  /** The reranker's score in (0, 1); null for a pack without one. */
  score: number | null
}

/** Where the detail that an opener names comes from. Something that both people like counts as shared, wherever it was found. */
export const OPENER_DETAILS = ['shared', 'photo', 'bio', 'none'] as const
export type OpenerDetail = (typeof OPENER_DETAILS)[number]
