import Table from 'cli-table3'
import { meetsTarget } from '../metrics.js'
import { formatMetric, formatTarget } from './format.js'

/** The metrics of every run as tables on the terminal. */
export function printSummary(/** @type {import('../run-evaluation.js').Report} */ { runs }) {
  for (const { packs, measures } of runs) {
    console.log(`\n${packs.clip} + ${packs.llm}`)
    for (const { title, metrics, seconds } of measures) {
      const table = new Table({
        head: [`${title} (${Math.round(seconds)} s)`, 'target', 'value', ''],
        style: { head: [], border: [], compact: true },
      })
      for (const metric of metrics) {
        const met = meetsTarget(metric)
        const mark = met === undefined ? '' : met ? '✓' : '✗'
        table.push([metric.title, formatTarget(metric), formatMetric(metric), mark])
      }
      console.log(table.toString())
    }
  }
}
