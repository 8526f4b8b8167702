import type { BioSafetySection } from '../../models/bio-safety-section.js'
import type { TextRisk } from '../../safety/text-risks.js'
import type { TextJudgement } from '../vision.js'

/**
 * What the logits of a text mean.
 * @param logits - [classes], in the order of the section
 */
export function judgeText(
  logits: Float32Array,
  { classes, thresholds }: Pick<BioSafetySection, 'classes' | 'thresholds'>,
): TextJudgement {
  const harmless = logits[classes.indexOf('harmless')]!
  const risks = classes
    .flatMap((name, i) => (name === 'harmless' ? [] : [{ risk: name, logit: logits[i]! }]))
    .sort((left, right) => right.logit - left.logit)
  const logOdds = logSumExp(risks.map(({ logit }) => logit)) - harmless
  return { verdict: verdictOf(logOdds, thresholds), risk: risks[0]!.risk as TextRisk, logOdds }
}

function verdictOf(
  logOdds: number,
  { unsafe, harmless }: BioSafetySection['thresholds'],
): TextJudgement['verdict'] {
  if (logOdds >= unsafe) return 'unsafe'
  return logOdds < harmless ? 'harmless' : 'unsure'
}

function logSumExp(logits: readonly number[]): number {
  const highest = Math.max(...logits)
  return highest + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - highest), 0))
}
