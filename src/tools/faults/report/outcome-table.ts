import Table from 'cli-table3'
import type { OutcomeRow } from '../scenario.js'

const WIDTHS = [22, 34, 40, 24, 12, 30]

/** The final table on a terminal. */
export function formatOutcomes(rows: readonly OutcomeRow[]): string {
  const table = new Table({
    head: ['fault', 'partners see', 'the operator sees', 'recovery', 'lost', 'deviations'],
    colWidths: WIDTHS,
    wordWrap: true,
    style: { head: [], border: [] },
  })
  for (const row of rows) {
    const lost = `${row.lost} of ${row.acknowledged}`
    const deviations = row.deviations.join('\n')
    table.push([row.fault, row.partners, row.operator, row.recovery, lost, deviations])
  }
  return table.toString()
}
