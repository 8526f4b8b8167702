import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Machine } from '../../describe-machine.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import type { OutcomeRow } from '../scenario.js'

export const RELIABILITY_PAGE = path.join(PROJECT_FOLDER, 'docs', 'reliability.md')
const MARKERS = {
  'one host': [
    '<!-- fault table: written by npm run faults -- --write-report -->',
    '<!-- end of the fault table -->',
  ],
  replicas: [
    '<!-- table of replicas: written by npm run faults -- --replicas --write-report -->',
    '<!-- end of the table of replicas -->',
  ],
} as const

interface Run {
  rows: readonly OutcomeRow[]
  machine: Machine
  /** Arguments of the command that repeats the run. */
  args: string
  minutes: number
}

/** Replaces one of the tables in docs/reliability.md; the text around them is written by hand. */
export function writeReliabilityPage(table: keyof typeof MARKERS, run: Run): void {
  const page = readFileSync(RELIABILITY_PAGE, 'utf8')
  writeFileSync(RELIABILITY_PAGE, replaceTable(page, table, run))
}

/** @throws when the page has no place for the table */
export function replaceTable(page: string, table: keyof typeof MARKERS, run: Run): string {
  const [begin, end] = MARKERS[table]
  const [before, after] = [page.indexOf(begin), page.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`${RELIABILITY_PAGE} has no table "${table}".`)
  return `${page.slice(0, before)}${begin}\n\n${formatRun(run)}\n\n${page.slice(after)}`
}

function formatRun({ rows, machine, args, minutes }: Run): string {
  const { cpu, cores, memoryGiB, node } = machine
  const lost = rows.reduce((sum, row) => sum + row.lost, 0)
  const acknowledged = rows.reduce((sum, row) => sum + row.acknowledged, 0)
  return [
    `Measured on ${cores} cores of ${cpu}, ${memoryGiB} GiB, Node ${node}, in ${minutes.toFixed(0)} minutes,`,
    `with \`npm run faults -- ${args}\`: ${lost} of ${acknowledged} acknowledged records lost.`,
    '',
    '| Fault | How it is injected | What partners see | What the operator sees | How it recovers | Lost |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(formatRow),
  ].join('\n')
}

function formatRow(row: OutcomeRow): string {
  const lost = `${row.lost} of ${row.acknowledged}`
  const recovery = [row.recovery, ...row.deviations.map((text) => `**${text}**`)].join('. ')
  const cells = [row.fault, row.injection, row.partners, row.operator, recovery, lost]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
