import type { OpenerCritic } from '../inference/language/opener-guidance.js'
import { roundTo } from '../text/round-to.js'
import { contentStems } from '../text/words.js'
import { checkOpener, groundingScore, type Rejection } from './checks/check-opener.js'
import { isPlain } from './checks/plain-words.js'
import { criticize } from './critic.js'
import type { JudgedCandidate } from './explain-openers.js'
import type { OpenerFacts } from './opener-facts.js'
import type { Style } from './styles.js'
import type { WrittenCandidate } from './write-candidates.js'

export type Candidate = JudgedCandidate & { style: Style; outcome: 'passed' | Rejection }

export interface JudgedFor {
  style: Style
  facts: OpenerFacts
  /** Openers already chosen for the same answer. */
  earlier: readonly string[]
  /** Undefined for a pack without one. */
  critic: OpenerCritic | undefined
}

/**
 * Checks a candidate and says how good it is: by the critic of the pack in (0, 1), without one by how well it is tied
 * to the profile. Fresh is one with a detail that no earlier opener of the answer has.
 */
export function judgeCandidate(
  { text, beginning, generation, cost }: WrittenCandidate,
  { style, facts, earlier, critic }: JudgedFor,
): { candidate: Candidate; score: number; isFresh: boolean } {
  const given = beginning.text
  const rejection =
    generation.finishReason === 'length'
      ? 'cut_off'
      : checkOpener(text, {
          style,
          facts,
          earlier,
          given,
          ...(critic && { maxStrangers: 0 }),
        })
  const grounding = groundingScore(text, facts)
  const { certainty } = generation
  const sense = critic && criticize(critic, { text, beginning, certainty, facts })
  const candidate: Candidate = {
    style,
    text,
    beginning: given,
    outcome: rejection ?? 'passed',
    scores: {
      grounding: roundTo(grounding, 3),
      certainty: roundTo(certainty.mean, 3),
      ...(sense !== undefined && { sense: roundTo(sense, 3) }),
    },
    ...cost,
  }
  return { candidate, score: sense ?? grounding, isFresh: bringsDetail(text, facts, earlier) }
}

function bringsDetail(text: string, facts: OpenerFacts, earlier: readonly string[]): boolean {
  const known = facts.stems
  const used = contentStems(earlier.join(' . '))
  return [...contentStems(text)].some(
    (stem) => known.has(stem) && !isPlain(stem) && !used.has(stem),
  )
}
