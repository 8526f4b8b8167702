import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import Table from 'cli-table3'
import type { ProgressStream } from '../packs/pull-progress.js'

/** Input and output of a command; tests pass their own. */
export interface Terminal {
  out(text: string): void
  error(text: string): void
  /** Asks for a line of input; empty if the input ends. */
  ask?(question: string): Promise<string>
  /** Default: stderr. */
  progress?: ProgressStream
}

export const PROCESS_TERMINAL: Terminal = {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  ask: async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    try {
      // `question` never settles if the input ends first.
      return await Promise.race([lines.question(question), once(lines, 'close').then(() => '')])
    } finally {
      lines.close()
    }
  },
}

type Cell = string | number | boolean | null | readonly string[]

/** A row by column name; the names are also the JSON fields. */
export type Row = Record<string, Cell>

/** Formats rows as JSON for scripts, or as a table. */
export function formatRows(rows: readonly Row[], options: { json?: boolean }): string {
  if (options.json) return formatJson(rows)
  const [first] = rows
  if (!first) return 'None.\n'
  const columns = Object.keys(first)
  const table = new Table({
    head: columns.map((column) => column.replaceAll('_', ' ')),
    style: { head: [], border: [] },
  })
  for (const row of rows) table.push(columns.map((column) => cellText(row[column] ?? null)))
  return `${table.toString()}\n`
}

/** Formats one object as JSON for scripts, or as aligned lines. */
export function formatRecord(record: Row, options: { json?: boolean }): string {
  if (options.json) return formatJson(record)
  const width = Math.max(...Object.keys(record).map((field) => field.length))
  return Object.entries(record)
    .map(([field, value]) => `${field.replaceAll('_', ' ').padEnd(width)}  ${cellText(value)}\n`)
    .join('')
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Formats milliseconds since the epoch as ISO 8601; null stays null. */
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}

function cellText(value: Cell): string {
  if (value === null) return '-'
  return Array.isArray(value) ? value.join('\n') : String(value)
}
