/** A token alone may give another result than beside others. */
const LEAST_SHARE = 2

/** Tokens of prompts that are evaluated in one round at most. */
export interface PromptTokens {
  perRound: number
  perSequence: number
}

interface PromptHolder {
  /** Grows with every use. */
  lastUsed: number
  /** With the tokens of the prompt that are still to be evaluated. */
  task: { rest: readonly unknown[] } | undefined
}

/** How many tokens of its prompt each evaluates in a round. Short prompts do not wait for long ones. */
export function sharePrompts<T extends PromptHolder>(
  slots: readonly T[],
  { perRound, perSequence }: PromptTokens,
): Map<T, number> {
  const inOrder = slots
    .map((slot) => ({ slot, rest: slot.task?.rest.length ?? 0 }))
    .sort((left, right) => left.rest - right.rest || left.slot.lastUsed - right.slot.lastUsed)
  let budget = perRound
  return new Map(
    inOrder.map(({ slot, rest }) => {
      const share = shareOf(rest, Math.min(budget, perSequence))
      budget -= share
      return [slot, share]
    }),
  )
}

/** How much of a prompt is evaluated in a round; never so that a part of a single token is taken or remains. */
function shareOf(rest: number, budget: number): number {
  if (rest <= budget) return rest
  const share = Math.min(budget, rest - LEAST_SHARE)
  return share < LEAST_SHARE ? 0 : share
}
