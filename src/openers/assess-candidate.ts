import type { OpenerReranker } from '../inference/language/opener-guidance.js'
import { roundTo } from '../text/round-to.js'
import { contentStems } from '../text/words.js'
import { checkOpener, groundingScore, type Rejection } from './checks/check-opener.js'
import { isPlain } from './checks/plain-words.js'
import type { ExplainedCandidate } from './explain-openers.js'
import type { OpenerFacts } from './opener-facts.js'
import { scoreCandidate } from './reranker.js'
import type { Style } from './styles.js'
import type { WrittenCandidate } from './write-candidates.js'

export type Candidate = ExplainedCandidate & { style: Style; outcome: 'passed' | Rejection }

export interface AssessmentContext {
  style: Style
  facts: OpenerFacts
  /** Texts of the openers already chosen for the same answer. */
  earlier: readonly string[]
  /** Undefined for a pack without one. */
  reranker: OpenerReranker | undefined
}

export interface Assessment {
  candidate: Candidate
  /** The reranker's score in (0, 1), or the grounding score without a reranker; higher is better. */
  score: number
  /** Whether the text names a detail that no earlier opener of the answer names. */
  isFresh: boolean
}

/** Checks and scores a candidate. */
export function assessCandidate(
  { text, beginning, generation, cost }: WrittenCandidate,
  { style, facts, earlier, reranker }: AssessmentContext,
): Assessment {
  const prefill = beginning.text
  const rejection =
    generation.finishReason === 'length'
      ? 'cut_off'
      : checkOpener(text, {
          style,
          facts,
          earlier,
          prefill,
          ...(reranker && { maxUnsupportedStems: 0 }),
        })
  const grounding = groundingScore(text, facts)
  const { logprob } = generation
  const sense = reranker && scoreCandidate(reranker, { text, beginning, logprob, facts })
  const candidate: Candidate = {
    style,
    text,
    beginning: prefill,
    outcome: rejection ?? 'passed',
    scores: {
      grounding: roundTo(grounding, 3),
      certainty: roundTo(logprob.mean, 3),
      ...(sense !== undefined && { sense: roundTo(sense, 3) }),
    },
    ...cost,
  }
  return { candidate, score: sense ?? grounding, isFresh: namesNewDetail(text, facts, earlier) }
}

function namesNewDetail(text: string, facts: OpenerFacts, earlier: readonly string[]): boolean {
  const known = facts.stems
  const used = contentStems(earlier.join(' . '))
  return [...contentStems(text)].some(
    (stem) => known.has(stem) && !isPlain(stem) && !used.has(stem),
  )
}
