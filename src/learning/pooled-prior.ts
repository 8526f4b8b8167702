import { chooseHalfLives } from './choose-half-lives.js'
import type { EvidenceRow } from './evidence.js'
import { arrangeEvidence, type Cell } from './evidence-history.js'
import { fadeEvidence, type CellCounts } from './fading.js'
import { fitCells } from './fit-cells.js'
import { expectedParameters, settledRows, type PriorMean } from './fit-posterior.js'

/** Effective openers that one organisation counts for at most: no single one decides for the others. */
const MAX_EVIDENCE = 1_000

/**
 * Where an environment is expected to be, from the live environments of the other organisations of the host. The caller
 * leaves the receiver out.
 * @param organizations - evidence of each other organisation
 */
export function fitPooledPrior(
  organizations: Iterable<Iterable<EvidenceRow>>,
  { today }: { today: number },
): PriorMean {
  const center = expectedParameters()
  const parts = Array.from(organizations, (rows) => capEvidence(rows, today, center))
  const cells = parts.flatMap((part) => part.cells)
  const counts = {
    sent: Float64Array.from(parts.flatMap((part) => [...part.counts.sent])),
    replied: Float64Array.from(parts.flatMap((part) => [...part.counts.replied])),
  }
  const { mean } = fitCells({ cells, counts, center })
  return { mean, evidence: sumOf(counts.sent) }
}

function capEvidence(
  rows: Iterable<EvidenceRow>,
  today: number,
  center: Float64Array,
): { cells: readonly Cell[]; counts: CellCounts } {
  const history = arrangeEvidence(settledRows(rows, today))
  const { sent, replied } = fadeEvidence(history, today, chooseHalfLives(history, center))
  const weight = Math.min(1, MAX_EVIDENCE / sumOf(sent))
  return {
    cells: history.cells,
    counts: {
      sent: sent.map((count) => weight * count),
      replied: replied.map((count) => weight * count),
    },
  }
}

function sumOf(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
