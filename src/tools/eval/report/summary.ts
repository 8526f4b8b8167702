import Table from 'cli-table3'
import type { EvaluationReport } from '../evaluation-report.js'
import { meetsTarget, type Metric } from '../metrics.js'
import { formatMetric, formatTarget } from './format.js'

/** Prints the metrics of every run as tables on the terminal. */
export function printSummary({ runs }: EvaluationReport): void {
  for (const { packs, measures } of runs) {
    console.log(`\n${packs.clip} + ${packs.llm}`)
    for (const { title, metrics, seconds } of measures) {
      const table = new Table({
        head: [`${title} (${Math.round(seconds)} s)`, 'target', 'value', ''],
        style: { head: [], border: [], compact: true },
      })
      for (const metric of metrics) {
        table.push([metric.title, formatTarget(metric), formatMetric(metric), markOf(metric)])
      }
      console.log(table.toString())
    }
  }
}

function markOf(metric: Metric): string {
  const isMet = meetsTarget(metric)
  if (isMet === undefined) return ''
  return isMet ? '✓' : '✗'
}
