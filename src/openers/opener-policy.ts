import type { Environment } from '../organizations/capability.js'
import type { OpenerTraits } from './opener-traits.js'
import type { Style, Tone } from './styles.js'

/** Decides which styles are written first, and which of several good candidates is released. */
export interface OpenerPolicy {
  /**
   * The same request always gets the same choice, as long as nothing new was learnt. Never rejects: a policy that cannot
   * choose answers as `FIXED_POLICY` does, because no call for openers may fail by what is only an improvement.
   */
  choose(request: PolicyRequest): Promise<PolicyChoice>
}

export interface PolicyRequest {
  organizationId: string
  environment: Environment
  requestId: string
  /**
   * Whoever must stay on one side of the comparison: the hash of the end user where the partner sent it, otherwise the
   * idempotency key or the request id.
   */
  subject: string
  tone: Tone
  /** Styles for which there is material, best for the tone first; at least one. */
  styles: readonly Style[]
}

export interface PolicyChoice {
  /** The styles of the request, those to write first at the front. */
  styles: readonly Style[]
  /** What the traits of a candidate add to the log-odds of a reply; undefined: the candidate with the best score is released. */
  preference?: ((candidate: CandidateTraits) => number) | undefined
  /** What is stored with the call; undefined while learning is off: then the traits of its openers are not stored either. */
  selection: Selection | undefined
}

export interface CandidateTraits extends OpenerTraits {
  style: Style
  /** Number of Unicode code points. */
  length: number
}

/** `control`: chosen as if nothing had been learnt. */
export const ARMS = ['learned', 'control'] as const
export type Arm = (typeof ARMS)[number]

/** How the styles of a call were chosen. */
export interface Selection {
  arm: Arm
  /** The part of the population that the subject falls into, from 0: many end users share one. */
  bucket: number
  /** Styles in the order chosen. */
  styles: readonly Style[]
  /**
   * Probability with which each of `styles` was drawn from those that were left: first that of the first choice, last 1;
   * null in the control arm, whose order is fixed. The probability of the whole order is their product.
   */
  probabilities: readonly number[] | null
}

/** The styles that suit the tone best, and the candidate with the best score. */
export const FIXED_POLICY: OpenerPolicy = {
  choose: ({ styles }) => Promise.resolve({ styles, selection: undefined }),
}
