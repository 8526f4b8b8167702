import type { BioSafetySection } from '../../packs/bio-safety-section.js'
import type { TextRisk } from '../../packs/text-risks.js'
import type { BioClassification } from './vision.js'

/** Output of the bio safety model for one text. */
export interface TextOdds {
  /** The most probable risk, if the text is unsafe. */
  risk: TextRisk
  /** Natural logarithm of the odds that the text is unsafe. */
  logOdds: number
}

/**
 * Converts the logits of a text to odds.
 * @param logits - [classes], in the order of the section
 */
export function readLogits(
  logits: Float32Array,
  { classes }: Pick<BioSafetySection, 'classes'>,
): TextOdds {
  const harmless = logits[classes.indexOf('harmless')]!
  const risks = classes
    .flatMap((name, i) => (name === 'harmless' ? [] : [{ risk: name, logit: logits[i]! }]))
    .sort((left, right) => right.logit - left.logit)
  const logOdds = logSumExp(risks.map(({ logit }) => logit)) - harmless
  return { risk: risks[0]!.risk as TextRisk, logOdds }
}

/**
 * Classifies a bio by the mean log-odds of the whole and its worst part: a sentence alone may look worse than in context, and the
 * whole may hide a bad sentence. docs/decisions/0017 compares this with either alone.
 * @param readings - for each reading of the bio, the whole first, then its parts
 */
export function classifyBio(
  readings: readonly (readonly TextOdds[])[],
  { unsafe, harmless }: BioSafetySection['thresholds'],
): BioClassification {
  const whole = highest(readings.map(([first]) => first!))
  const worst = highest(readings.flat())
  const logOdds = (whole + worst) / 2
  const risks = readings.flat().flatMap((text) => (text.logOdds >= unsafe ? [text.risk] : []))
  if (logOdds >= unsafe) return { verdict: 'unsafe', risks: [...new Set(risks)] }
  return { verdict: logOdds < harmless ? 'harmless' : 'unsure' }
}

function highest(texts: readonly TextOdds[]): number {
  return Math.max(...texts.map(({ logOdds }) => logOdds))
}

function logSumExp(logits: readonly number[]): number {
  const highestLogit = Math.max(...logits)
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - highestLogit), 0)
  return highestLogit + Math.log(sum)
}
