import { FRESH_TOKENS } from './sequence-choice.js'

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

/** How much of a prompt is evaluated in a round; never so that a part of a single token remains. */
function shareOf(rest: number, budget: number): number {
  if (rest <= budget) return rest
  const share = Math.min(budget, rest - FRESH_TOKENS)
  return share < FRESH_TOKENS ? 0 : share
}
