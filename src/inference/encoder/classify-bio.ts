import type { BioSafetySection } from '../../packs/bio-safety-section.js'
import type { TextRisk } from '../../packs/text-risks.js'
import type { BioClassification } from './vision.js'

/** What the bio safety model says of one text. */
export interface TextOdds {
  /** The likeliest way in which it is unsafe, if it is. */
  risk: TextRisk
  /** Natural logarithm of the odds that it is unsafe. */
  logOdds: number
}

/**
 * What the logits of a text mean.
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
 * The log-odds of a bio are the mean of those of the whole and of its worst part: a sentence may look bad by itself that the
 * others explain, and a whole may hide a bad sentence among harmless ones. docs/safety.md compares this with either alone.
 * @param readings - for each way to read the bio, the whole first, then its parts
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
