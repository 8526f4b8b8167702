import type {
  EvaluationReport,
  EvaluationRun,
  MeasureReport,
  PackNames,
  ReportTable,
} from '../evaluation-report.js'
import { meetsTarget, type Metric } from '../metrics.js'
import { formatMetric, formatTarget } from './format.js'
import { renderPlot } from './plots.js'
import { STYLE } from './style.js'

/** Renders the report as one page that loads nothing. */
export function renderPage(report: EvaluationReport): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evaluation of ${escape(report.data.name)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Evaluation</h1>
${renderSetting(report)}
${report.runs[0]!.measures.map((_, i) => renderMeasure(report.runs, i)).join('\n')}
</main>
</body>
</html>
`
}

function renderSetting({ date, data, seed, machine, versions, runs }: EvaluationReport): string {
  const versionList = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const facts: [name: string, value: string][] = [
    ['Data', `${data.name}, ${data.pairs} pairs, sha256 ${data.sha256.slice(0, 16)}…`],
    ...runs.map(({ packs, revisions, seconds }): [string, string] => [
      'Packs',
      `${packs.clip} + ${packs.llm} (${revisions.vision}, ${revisions.llm}); ${Math.round(seconds)} s`,
    ]),
    ['Machine', `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB`],
    ['Versions', versionList.join(', ')],
    ['Date, seed', `${date}, seed ${seed}`],
  ]
  const rows = facts.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`)
  return `<dl>${rows.join('')}</dl>
<p class="note">Brackets hold 95 % bootstrap intervals. Targets are those of docs/evaluation.md.</p>`
}

/** @param index - of the measure, the same in every run */
function renderMeasure(runs: readonly EvaluationRun[], index: number): string {
  const columns = runs.map(({ packs, measures }) => ({ packs, measure: measures[index]! }))
  const { title, about, metrics } = columns[0]!.measure
  const heads = runs.map(({ packs }) => `<th>${escape(packs.clip)}<br>${escape(packs.llm)}</th>`)
  const rows = metrics.map((_, i) => renderRow(columns.map(({ measure }) => measure.metrics[i]!)))
  const figures = columns.map(({ packs, measure }) =>
    renderFigures(measure, runs.length > 1 ? packs : undefined),
  )
  return `<section>
<h2>${escape(title)}</h2>
<p>${escape(about)}</p>
<div class="wide"><table>
<thead><tr><th></th><th>target</th>${heads.join('')}</tr></thead>
<tbody>${rows.join('')}</tbody>
</table></div>
${figures.join('\n')}
</section>`
}

/** @param metrics - the same metric of every run */
function renderRow(metrics: readonly Metric[]): string {
  const first = metrics[0]!
  const cells = metrics.map(
    (metric) => `<td${classOf(metric)}>${escape(formatMetric(metric))}</td>`,
  )
  return `<tr><th scope="row">${escape(first.title)}</th><td>${escape(formatTarget(first))}</td>${cells.join('')}</tr>`
}

function classOf(metric: Metric): string {
  const isMet = meetsTarget(metric)
  if (isMet === undefined) return ''
  return isMet ? ' class="met"' : ' class="missed"'
}

/** @param packs - for the heading; undefined if there is only one run */
function renderFigures({ plots, tables }: MeasureReport, packs: PackNames | undefined): string {
  if (plots.length + tables.length === 0) return ''
  const heading = packs ? `<h3>${escape(packs.clip)} + ${escape(packs.llm)}</h3>` : ''
  const figures = plots.map(
    (plot) => `<figure>${renderPlot(plot)}<figcaption>${escape(plot.title)}</figcaption></figure>`,
  )
  return `${heading}<div class="figures">${figures.join('')}</div>${tables.map(renderTable).join('')}`
}

function renderTable({ title, columns, rows }: ReportTable): string {
  const cells = (row: readonly (string | number)[], tag: string) =>
    row.map((cell) => `<${tag}>${escape(String(cell))}</${tag}>`).join('')
  return `<details><summary>${escape(title)}</summary><div class="wide"><table class="text">
<thead><tr>${cells(columns, 'th')}</tr></thead>
<tbody>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody>
</table></div></details>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}
