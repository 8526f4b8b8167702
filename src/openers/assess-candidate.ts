import type { OpenerReranker } from '../inference/language/opener-guidance.js'
import { roundTo } from '../text/round-to.js'
import { contentStems } from '../text/words.js'
import { checkOpener, groundingScore, type Rejection } from './checks/check-opener.js'
import { isPlain } from './checks/plain-words.js'
import { describeTraits } from './describe-traits.js'
import type { ExplainedCandidate } from './explain-openers.js'
import type { OpenerFacts } from './opener-facts.js'
import type { CandidateTraits, PolicyChoice } from './opener-policy.js'
import { scoreCandidate } from './reranker.js'
import type { PassedCandidate } from './search-limits.js'
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
  preference: PolicyChoice['preference']
}

export interface Assessment {
  candidate: Candidate
  /** Undefined for a candidate that failed a check. */
  passed: ReleasableCandidate | undefined
}

export interface ReleasableCandidate extends PassedCandidate {
  text: string
  traits: CandidateTraits
}

/** Checks and scores a candidate: by the reranker in (0, 1), or by its grounding without one. */
export function assessCandidate(
  { text, beginning, examples, generation, cost }: WrittenCandidate,
  context: AssessmentContext,
): Assessment {
  const { style, facts, earlier, reranker } = context
  const prefill = beginning.text
  const rejection =
    generation.finishReason === 'length'
      ? 'cut_off'
      : checkOpener(text, {
          style,
          facts,
          // A copy of an example is a line that somebody else gets, too.
          earlier: [...earlier, ...examples],
          prefill,
          ...(reranker && { maxUnsupportedStems: 0 }),
        })
  const grounding = groundingScore(text, facts)
  const { logprob } = generation
  const sense = reranker && scoreCandidate(reranker, { text, beginning, logprob, facts })
  const passed = rejection ? undefined : describePassed(text, { grounding, sense }, context)
  const candidate: Candidate = {
    style,
    text,
    beginning: prefill,
    outcome: rejection ?? 'passed',
    scores: {
      grounding: roundTo(grounding, 3),
      certainty: roundTo(logprob.mean, 3),
      ...(sense !== undefined && { sense: roundTo(sense, 3) }),
      ...(passed?.preference !== undefined && { preference: roundTo(passed.preference, 3) }),
    },
    ...cost,
  }
  return { candidate, passed }
}

function describePassed(
  text: string,
  { grounding, sense }: { grounding: number; sense: number | undefined },
  { style, facts, earlier, preference }: AssessmentContext,
): ReleasableCandidate {
  const traits = { ...describeTraits(text, facts, sense), style, length: [...text].length }
  return {
    text,
    traits,
    score: sense ?? grounding,
    isFresh: namesNewDetail(text, facts, earlier),
    preference: preference?.(traits),
  }
}

function namesNewDetail(text: string, facts: OpenerFacts, earlier: readonly string[]): boolean {
  const known = facts.stems
  const used = contentStems(earlier.join(' . '))
  return [...contentStems(text)].some(
    (stem) => known.has(stem) && !isPlain(stem) && !used.has(stem),
  )
}
