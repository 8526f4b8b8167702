import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * @typedef {object} BenchmarkOptions
 * @property {boolean} asJson
 * @property {string} [saveTo] folder for the report as JSON, its tables as Markdown and its plots as SVG
 * @property {number} [minutes]
 * @property {number} [rounds]
 * @property {string} [only] of several calls the one to measure
 * @property {boolean} [profile] of the server process
 */

/** @typedef {(line: string) => void} Say */

/**
 * Shows a report as JSON or as tables, and keeps it with its plots where that is asked for.
 * @template {{ benchmark: string }} R
 * @param {R} report
 * @param {BenchmarkOptions} options
 * @param {{ print: (report: R, say: Say) => void, plots?: (report: R) => Record<string, string> }} views
 */
export function publish(report, { asJson, saveTo }, { print, plots = () => ({}) }) {
  const json = JSON.stringify(report, undefined, 2)
  if (asJson) console.log(json)
  else print(report, console.log)
  if (saveTo === undefined) return
  mkdirSync(saveTo, { recursive: true })
  writeFileSync(path.join(saveTo, `${report.benchmark}.json`), `${json}\n`)
  /** @type {string[]} */
  const lines = []
  print(report, (line) => lines.push(line))
  writeFileSync(path.join(saveTo, `${report.benchmark}.md`), `${lines.join('\n').trim()}\n`)
  for (const [name, svg] of Object.entries(plots(report))) {
    writeFileSync(path.join(saveTo, `${name}.svg`), `${svg}\n`)
  }
}

/**
 * Rows as a Markdown table, to be read in a terminal and pasted into the docs.
 * @param {Record<string, string | number | undefined>[]} rows
 */
export function table(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const show = (/** @type {string | number | undefined} */ cell) =>
    cell === undefined || Number.isNaN(cell) ? '–' : String(cell)
  const lines = [columns, ...rows.map((row) => columns.map((column) => show(row[column])))]
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => cells[index].length)))
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index])).join(' | ')} |`
  const [header, ...body] = lines
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join(
    '\n',
  )
}
