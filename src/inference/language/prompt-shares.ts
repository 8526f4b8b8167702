/** A batch of one token may give another result than a larger one. */
const MIN_SHARE = 2

/** Largest numbers of prompt tokens in a round. */
export interface PromptTokens {
  perRound: number
  /** In a round that several tenants share: a round then takes about twice as long as without prompts. */
  perSharedRound: number
  perSequence: number
}

interface PromptHolder {
  /** Grows with every use. */
  lastUsed: number
  /** `rest`: prompt tokens to evaluate. */
  task: { rest: readonly unknown[]; job: { tenant?: string | undefined } } | undefined
}

/**
 * Divides the prompt tokens of a round among slots, shortest prompt first, so that short prompts do not wait for long ones.
 * When several tenants share the round, prompts are evaluated in smaller parts: answers in progress wait for each part.
 */
export function sharePrompts<T extends PromptHolder>(
  slots: readonly T[],
  { perRound, perSharedRound, perSequence }: PromptTokens,
): Map<T, number> {
  const inOrder = slots
    .map((slot) => ({ slot, rest: slot.task?.rest.length ?? 0 }))
    .sort((left, right) => left.rest - right.rest || left.slot.lastUsed - right.slot.lastUsed)
  const tenants = new Set(slots.map(({ task }) => task?.job.tenant))
  let budget = tenants.size > 1 ? perSharedRound : perRound
  return new Map(
    inOrder.map(({ slot, rest }) => {
      const share = shareOf(rest, Math.min(budget, perSequence))
      budget -= share
      return [slot, share]
    }),
  )
}

/** Tokens of a prompt in a round; never takes or leaves a single token. */
function shareOf(rest: number, budget: number): number {
  if (rest <= budget) return rest
  const share = Math.min(budget, rest - MIN_SHARE)
  return share < MIN_SHARE ? 0 : share
}
