import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { formatTable } from '../../../bench/report/publish.js'
import { describeMachine } from '../../../describe-machine.js'
import { PROJECT_FOLDER } from '../../../project-folder.js'

const PAGE = path.join(PROJECT_FOLDER, 'docs', 'learning.md')
const PLOTS = path.join(PROJECT_FOLDER, 'docs', 'learning')
const BEGIN = '<!-- results: written by npm run simulate -- learning --write-report -->'
const END = '<!-- end of the results -->'

export interface ReportPart {
  title: string
  rows: readonly Readonly<Record<string, string | number>>[]
  plot?: { name: string; svg: string }
}

interface Run {
  seeds: number
  runs: number
  minutes: number
}

/** Replaces the results in docs/learning.md and their plots; the text around them is written by hand. */
export function writeLearningPage(parts: readonly ReportPart[], run: Run): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`${PAGE} has no place for results.`)
  mkdirSync(PLOTS, { recursive: true })
  for (const { plot } of parts) {
    if (plot) writeFileSync(path.join(PLOTS, `${plot.name}.svg`), `${plot.svg}\n`)
  }
  const results = [BEGIN, describeRun(run), ...parts.map(formatPart), '']
  writeFileSync(PAGE, page.slice(0, before) + results.join('\n\n') + page.slice(after))
}

function describeRun({ seeds, runs, minutes }: Run): string {
  const { cpu, node } = describeMachine()
  return `${seeds} seeds, ${runs} runs for the intervals, ${minutes.toFixed(0)} minutes on one core of ${cpu}, Node ${node}.`
}

function formatPart({ title, rows, plot }: ReportPart): string {
  const image = plot ? [`![${title}](learning/${plot.name}.svg)`] : []
  return [`### ${title}`, formatTable(rows), ...image].join('\n\n')
}
