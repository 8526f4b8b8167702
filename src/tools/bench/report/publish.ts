import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Machine } from '../../describe-machine.js'
import type { BenchOptions } from '../bench-options.js'

/** What every report begins with. */
export interface Report {
  benchmark: string
  machine: Machine
}

/** Writes one line, or several at once, of a report as text. */
export type Print = (line: string) => void

interface ReportViews<R> {
  print: (report: R, print: Print) => void
  /** SVG by file name without suffix. */
  plots?: (report: R) => Record<string, string>
}

/** Prints a report as JSON or as tables and, on request, saves it with its plots. */
export function publish<R extends Report>(
  report: R,
  { asJson, saveTo }: BenchOptions,
  views: ReportViews<R>,
): void {
  const json = JSON.stringify(report, undefined, 2)
  if (asJson) console.log(json)
  else views.print(report, console.log)
  if (saveTo === undefined) return
  mkdirSync(saveTo, { recursive: true })
  writeFileSync(path.join(saveTo, `${report.benchmark}.json`), `${json}\n`)
  const lines: string[] = []
  views.print(report, (line) => lines.push(line))
  writeFileSync(path.join(saveTo, `${report.benchmark}.md`), `${lines.join('\n').trim()}\n`)
  for (const [name, svg] of Object.entries(views.plots?.(report) ?? {})) {
    writeFileSync(path.join(saveTo, `${name}.svg`), `${svg}\n`)
  }
}

type Cell = string | number | undefined

/** Formats rows as a Markdown table, readable in a terminal and ready to paste into the docs. */
export function formatTable(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const body = rows.map((row) => columns.map((column) => formatCell(row[column])))
  const widths = columns.map((column, i) =>
    Math.max(column.length, ...body.map((cells) => cells[i]!.length)),
  )
  const formatLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  return [columns, rule, ...body].map(formatLine).join('\n')
}

function formatCell(cell: Cell): string {
  return cell === undefined || Number.isNaN(cell) ? '–' : String(cell)
}
