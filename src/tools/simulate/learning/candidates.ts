import { drawNormal } from '../../../learning/normal-draws.js'
import type { CandidateTraits } from '../../../openers/opener-policy.js'
import type { OpenerDetail } from '../../../openers/opener-traits.js'
import type { Style } from '../../../openers/styles.js'

/** Share of questions by style. */
const QUESTIONS: Record<Style, number> = {
  playful_observation: 0,
  open_question: 1,
  photo_callback: 0.4,
  shared_interest: 0.4,
  confident_direct: 0.1,
}

/** Share of openers by the source of their detail, cumulative; the rest names none. */
const DETAILS: Record<Style, readonly (readonly [OpenerDetail, number])[]> = {
  playful_observation: [
    ['photo', 0.4],
    ['bio', 0.8],
  ],
  open_question: [
    ['photo', 0.2],
    ['bio', 0.8],
  ],
  photo_callback: [['photo', 1]],
  shared_interest: [['shared', 1]],
  confident_direct: [
    ['photo', 0.2],
    ['bio', 0.6],
  ],
}

/** Unicode code points. */
const LENGTH = { mean: 57, deviation: 15 }
/** Scores of candidates that may be released. */
const SCORE = { min: 0.6, max: 0.95 }
const MAX_CANDIDATES = 4

/** One to four candidates that pass every check and the reranker's threshold. */
export function writeCandidates(style: Style, random: () => number): CandidateTraits[] {
  const count = 1 + Math.floor(random() * MAX_CANDIDATES)
  return Array.from({ length: count }, () => writeCandidate(style, random))
}

function writeCandidate(style: Style, random: () => number): CandidateTraits {
  const point = random()
  return {
    style,
    length: Math.round(LENGTH.mean + LENGTH.deviation * drawNormal(random)),
    isQuestion: random() < QUESTIONS[style],
    detail: DETAILS[style].find(([, share]) => point < share)?.[0] ?? 'none',
    score: SCORE.min + (SCORE.max - SCORE.min) * random(),
  }
}
