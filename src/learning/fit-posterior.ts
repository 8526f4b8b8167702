import { lastSettledDay } from '../events/attribution-window.js'
import { chooseHalfLives } from './choose-half-lives.js'
import type { EvidenceRow } from './evidence.js'
import { arrangeEvidence, type Cell, type EvidenceHistory } from './evidence-history.js'
import { fadeEvidence, type CellCounts, type HalfLives } from './fading.js'
import { fitCells, type ParameterDistribution } from './fit-cells.js'
import { logit } from './logistic.js'
import { DIMENSION } from './opener-features.js'

/** Below this effective number of sent openers, own or pooled, nothing that was learnt is used. */
export const NEEDED_EVIDENCE = 200

/** Without any evidence, one opener in five is expected to be answered. */
const EXPECTED_RATE = 0.2

/** Where the parameters are expected before any evidence of the environment itself. */
export interface PriorMean {
  /** [DIMENSION] */
  mean: Float64Array
  /** Effective number of openers behind it. */
  evidence: number
}

/** What is known of the parameters, and the evidence behind it. */
export interface Posterior extends ParameterDistribution {
  cells: readonly FadedCell[]
  halfLives: HalfLives
  /** Own openers past their attribution window. */
  sent: number
  /** Their weight after fading. */
  effective: number
  /** Effective number of openers of others behind the prior. */
  pooled: number
}

/** Evidence of one kind of opener over all days. */
export interface FadedCell extends Cell {
  /** Openers by their weight after fading. */
  sent: number
  replied: number
  /** Openers, each counted in full. */
  unfadedSent: number
}

export interface FitOptions {
  /** Days since the epoch. */
  today: number
  prior?: PriorMean | undefined
  /** Default: those under which the evidence predicts best. */
  halfLives?: HalfLives | undefined
}

/**
 * What the evidence says about the effects of tone, style and traits on the probability of a reply to a sent opener. Depends
 * on nothing but its arguments, and not on the order of the rows. Openers whose attribution window is open do not count.
 */
export function fitPosterior(rows: Iterable<EvidenceRow>, options: FitOptions): Posterior {
  const { today, prior } = options
  const center = prior?.mean ?? expectedParameters()
  const history = arrangeEvidence(settledRows(rows, today))
  const halfLives = options.halfLives ?? chooseHalfLives(history, center)
  const counts = fadeEvidence(history, today, halfLives)
  const cells = describeCells(history, counts)
  return {
    ...fitCells({ cells: history.cells, counts, center }),
    cells,
    halfLives,
    sent: sumOf(cells, 'unfadedSent'),
    effective: sumOf(cells, 'sent'),
    pooled: prior?.evidence ?? 0,
  }
}

/** Rows of days whose attribution window has passed. */
export function settledRows(rows: Iterable<EvidenceRow>, today: number): EvidenceRow[] {
  return [...rows].filter(({ day }) => day <= lastSettledDay(today))
}

export function expectedParameters(): Float64Array {
  const parameters = new Float64Array(DIMENSION)
  parameters[0] = logit(EXPECTED_RATE)
  return parameters
}

function describeCells({ cells, days }: EvidenceHistory, counts: CellCounts): FadedCell[] {
  const unfaded = new Float64Array(cells.length)
  for (const day of days) {
    for (const { cell, sent } of day.counts) unfaded[cell]! += sent
  }
  return cells.map((cell, i) => ({
    ...cell,
    sent: counts.sent[i]!,
    replied: counts.replied[i]!,
    unfadedSent: unfaded[i]!,
  }))
}

function sumOf(cells: readonly FadedCell[], count: 'sent' | 'unfadedSent'): number {
  return cells.reduce((sum, cell) => sum + cell[count], 0)
}
