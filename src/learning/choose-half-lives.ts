import type { EvidenceDay, EvidenceHistory } from './evidence-history.js'
import { fadeEvidence, type CellCounts, type HalfLives } from './fading.js'
import { fitCells, logLikelihood } from './fit-cells.js'

/** Half-lives between which the evidence decides, slowest first. */
export const HALF_LIVES: readonly HalfLives[] = [64_000, 16_000, 8_000, 4_000, 2_000].map(
  (openers) => ({ days: 180, openers }),
)

/** Openers that are predicted together from the evidence before them. */
const BLOCK_OPENERS = 500
const MAX_BLOCKS = 12
/** Nats by which each faster half-life must predict better than the one before: chance alone makes up a few. */
const REQUIRED_GAIN = 3
/** Predictions need less precision than the posterior: logits. */
const TOLERANCE = 1e-3

/**
 * The half-lives under which the evidence would have predicted the last openers best. In quiet times old evidence helps, after
 * a change it misleads, and no single rate of forgetting serves both.
 * Source: Raftery, Kárný and Ettler, "Online prediction under model uncertainty via dynamic model averaging", Technometrics 52
 * (2010), with selection in place of averages
 */
export function chooseHalfLives(history: EvidenceHistory, center: Float64Array): HalfLives {
  const { length } = history.cells
  const blocks = splitIntoBlocks(history.days).map((block) => ({
    from: block[0]!.day,
    counts: sumBlock(block, length),
  }))
  const scores = HALF_LIVES.map(
    (halfLives, i) => scorePredictions(history, { halfLives, blocks, center }) - i * REQUIRED_GAIN,
  )
  return HALF_LIVES[scores.indexOf(Math.max(...scores))]!
}

/** The last days in blocks of enough openers, oldest first. Days before the first whole block are not predicted. */
function splitIntoBlocks(days: readonly EvidenceDay[]): EvidenceDay[][] {
  const blocks: EvidenceDay[][] = []
  let block: EvidenceDay[] = []
  for (const day of days.toReversed()) {
    block.unshift(day)
    if (block.reduce((sum, { sent }) => sum + sent, 0) < BLOCK_OPENERS) continue
    blocks.unshift(block)
    block = []
    if (blocks.length === MAX_BLOCKS) break
  }
  return blocks
}

interface Block {
  /** First day. */
  from: number
  counts: CellCounts
}

interface Prediction {
  halfLives: HalfLives
  blocks: readonly Block[]
  center: Float64Array
}

/** Log-likelihood of the blocks, each under the evidence before it, in nats. */
function scorePredictions(
  history: EvidenceHistory,
  { halfLives, blocks, center }: Prediction,
): number {
  const { cells } = history
  let score = 0
  let start = center
  for (const block of blocks) {
    const counts = fadeEvidence(history, block.from, halfLives)
    start = fitCells({ cells, counts, center, start }, TOLERANCE).mean
    score += logLikelihood(cells, block.counts, start)
  }
  return score
}

function sumBlock(block: readonly EvidenceDay[], cellCount: number): CellCounts {
  const sums = { sent: new Float64Array(cellCount), replied: new Float64Array(cellCount) }
  for (const { counts } of block) {
    for (const { cell, sent, replied } of counts) {
      sums.sent[cell]! += sent
      sums.replied[cell]! += replied
    }
  }
  return sums
}
