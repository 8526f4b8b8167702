import { CONTROL_PERCENT } from '../../../learning/learning-settings.js'
import { BUCKETS } from '../../../learning/uplift.js'
import type { Arm } from '../../../openers/opener-policy.js'

/** The arm of a bucket at the default share of the control group. */
export function armOf(bucket: number): Arm {
  return bucket * 100 < BUCKETS * CONTROL_PERCENT.default ? 'control' : 'learned'
}
