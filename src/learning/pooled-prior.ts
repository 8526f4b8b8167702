import type { EvidenceRow } from './evidence.js'
import { fadeCells, type FadedCell } from './faded-cells.js'
import { fitCells, settledRows, type PriorMean } from './fit-posterior.js'

/** Effective openers that one organisation counts for at most: no single one decides for all. */
const MAX_EVIDENCE = 1_000

/**
 * Where a new environment is expected to be, from the live environments of the other organisations of the host. The caller
 * leaves the receiver out.
 * @param organizations - evidence of each other organisation
 */
export function fitPooledPrior(
  organizations: Iterable<Iterable<EvidenceRow>>,
  { today }: { today: number },
): PriorMean {
  const cells = [...organizations].flatMap((rows) =>
    capEvidence(fadeCells(settledRows(rows, today), today)),
  )
  const evidence = cells.reduce((sum, cell) => sum + cell.sent, 0)
  return { mean: fitCells(cells).mean, evidence }
}

function capEvidence(cells: readonly FadedCell[]): FadedCell[] {
  const evidence = cells.reduce((sum, cell) => sum + cell.sent, 0)
  const weight = Math.min(1, MAX_EVIDENCE / evidence)
  return cells.map((cell) => ({
    ...cell,
    sent: weight * cell.sent,
    replied: weight * cell.replied,
  }))
}
