import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Machine } from '../../describe-machine.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import type { OutcomeRow } from '../scenario.js'

export const RELIABILITY_PAGE = path.join(PROJECT_FOLDER, 'docs', 'reliability.md')
const BEGIN = '<!-- fault table: written by npm run faults -- --write-report -->'
const END = '<!-- end of the fault table -->'

interface Run {
  rows: readonly OutcomeRow[]
  machine: Machine
  seed: number
  kills: number
  minutes: number
}

/** Replaces the fault table in docs/reliability.md; the text around it is written by hand. */
export function writeReliabilityPage(run: Run): void {
  const page = readFileSync(RELIABILITY_PAGE, 'utf8')
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`${RELIABILITY_PAGE} has no fault table.`)
  const table = `${BEGIN}\n\n${formatRun(run)}\n\n${END}`
  writeFileSync(RELIABILITY_PAGE, page.slice(0, before) + table + page.slice(after + END.length))
}

function formatRun({ rows, machine, seed, kills, minutes }: Run): string {
  const { cpu, cores, memoryGiB, node } = machine
  const lost = rows.reduce((sum, row) => sum + row.lost, 0)
  const acknowledged = rows.reduce((sum, row) => sum + row.acknowledged, 0)
  return [
    `Measured on ${cores} cores of ${cpu}, ${memoryGiB} GiB, Node ${node}, in ${minutes.toFixed(0)} minutes,`,
    `with \`npm run faults -- --kills ${kills} --seed ${seed}\`: ${lost} of ${acknowledged} acknowledged records lost.`,
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
