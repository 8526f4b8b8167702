/** Names of the attacks, in the order in which they run; `control` does nothing, and shows what noise does to the verdicts. */
export const ATTACK_NAMES = [
  'control',
  'gzip-bombs',
  'idle-bodies',
  'slow-photos',
  'openers',
  'new-matches',
  'left-streams',
  'costly-texts',
  'event-batches',
  'costly-photos',
  'connections',
  'wrong-keys',
  'duplicate-keys',
  'unknown-fields',
] as const

export type AttackName = (typeof ATTACK_NAMES)[number]
