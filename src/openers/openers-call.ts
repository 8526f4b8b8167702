import type { Caller } from '../organizations/capability.js'
import type { Call } from '../profile/call-context.js'
import type { Selection } from './opener-policy.js'
import type { OpenerTraits } from './opener-traits.js'

/** What is stored of a call for openers besides its answer. */
export interface ChosenOpeners {
  selection: Selection
  /** Of the openers released so far, by their index. */
  traits: readonly OpenerTraits[]
}

/** A call for openers: who asks, and for whom. */
export interface OpenersCall extends Call {
  caller: Pick<Caller, 'organizationId' | 'environment'>
  /** See `PolicyRequest`. */
  subject: string
  /** Receives each opener before it is emitted, with those before it; never called while learning is off. */
  onChosen(chosen: ChosenOpeners): void
}
