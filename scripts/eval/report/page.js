import { meetsTarget } from '../metrics.js'
import { formatMetric, formatTarget } from './format.js'
import { renderPlot } from './plots.js'
import { STYLE } from './style.js'

/** @typedef {import('../run-evaluation.js').Report} Report */

/** The report as one page without any request to elsewhere. */
export function renderPage(/** @type {Report} */ report) {
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
${report.runs[0]?.measures.map((_, i) => renderMeasure(report, i)).join('\n') ?? ''}
</main>
</body>
</html>
`
}

function renderSetting(/** @type {Report} */ { date, data, seed, machine, versions, runs }) {
  const facts = [
    ['Data', `${data.name}, ${data.pairs} pairs, sha256 ${data.sha256.slice(0, 16)}…`],
    ...runs.map(({ packs, revisions, seconds }) => [
      'Packs',
      `${packs.clip} + ${packs.llm} (${revisions.vision}, ${revisions.llm}); ${Math.round(seconds)} s`,
    ]),
    ['Machine', `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB`],
    [
      'Versions',
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ],
    ['Date, seed', `${date}, seed ${seed}`],
  ]
  const rows = facts.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`)
  return `<dl>${rows.join('')}</dl>
<p class="note">Brackets hold 95 % bootstrap intervals. Targets are those of docs/evaluation.md.</p>`
}

/**
 * @param {Report} report
 * @param {number} index - of the measure, the same in every run
 */
function renderMeasure({ runs }, index) {
  const measures = runs.map((run) => run.measures[index])
  const [first] = measures
  if (!first) return ''
  const heads = runs.map(({ packs }) => `<th>${escape(packs.clip)}<br>${escape(packs.llm)}</th>`)
  return `<section>
<h2>${escape(first.title)}</h2>
<p>${escape(first.about)}</p>
<div class="wide"><table>
<thead><tr><th></th><th>target</th>${heads.join('')}</tr></thead>
<tbody>${first.metrics.map((_, i) => renderRow(measures.map((measure) => measure.metrics[i]))).join('')}</tbody>
</table></div>
${runs.map((run, i) => renderFigures(run, measures[i], runs.length > 1)).join('\n')}
</section>`
}

function renderRow(/** @type {import('../metrics.js').Metric[]} */ metrics) {
  const [first] = metrics
  const cells = metrics.map((metric) => {
    const met = meetsTarget(metric)
    const mark = met === undefined ? '' : met ? ' class="met"' : ' class="missed"'
    return `<td${mark}>${escape(formatMetric(metric))}</td>`
  })
  return `<tr><th scope="row">${escape(first?.title ?? '')}</th><td>${escape(formatTarget(first))}</td>${cells.join('')}</tr>`
}

/**
 * @param {Report['runs'][number]} run
 * @param {Report['runs'][number]['measures'][number]} measure
 * @param {boolean} isNamed - more than one run is shown
 */
function renderFigures({ packs }, { plots, tables }, isNamed) {
  if (plots.length + tables.length === 0) return ''
  const name = isNamed ? `<h3>${escape(packs.clip)} + ${escape(packs.llm)}</h3>` : ''
  const figures = plots.map(
    (plot) => `<figure>${renderPlot(plot)}<figcaption>${escape(plot.title)}</figcaption></figure>`,
  )
  return `${name}<div class="figures">${figures.join('')}</div>${tables.map(renderTable).join('')}`
}

function renderTable(
  /** @type {{ title: string, columns: string[], rows: (string | number)[][] }} */ table,
) {
  const cells = (/** @type {readonly (string | number)[]} */ row, /** @type {string} */ tag) =>
    row.map((cell) => `<${tag}>${escape(String(cell))}</${tag}>`).join('')
  return `<details><summary>${escape(table.title)}</summary><div class="wide"><table class="text">
<thead><tr>${cells(table.columns, 'th')}</tr></thead>
<tbody>${table.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody>
</table></div></details>`
}

function escape(/** @type {string | undefined} */ text) {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return (text ?? '').replace(
    /[&<>"']/g,
    (character) => names[/** @type {keyof typeof names} */ (character)],
  )
}
