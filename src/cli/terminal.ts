import { createInterface } from 'node:readline/promises'
import Table from 'cli-table3'

/** Where a command writes; tests put their own in its place. */
export interface Terminal {
  out(text: string): void
  error(text: string): void
  /** One line that the operator types. */
  ask?(question: string): Promise<string>
}

export const PROCESS_TERMINAL: Terminal = {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  ask: async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await lines.question(question)
    } finally {
      lines.close()
    }
  },
}

type Cell = string | number | boolean | null | readonly string[]

/** A row by column name; the names are the fields of the JSON form. */
export type Row = Record<string, Cell>

/** Rows as JSON for scripts, or as a table for people. */
export function formatRows(rows: readonly Row[], options: { json?: boolean }): string {
  if (options.json) return `${JSON.stringify(rows, null, 2)}\n`
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

/** One object as JSON for scripts, or as aligned lines for people. */
export function formatRecord(record: Row, options: { json?: boolean }): string {
  if (options.json) return `${JSON.stringify(record, null, 2)}\n`
  const width = Math.max(...Object.keys(record).map((field) => field.length))
  return Object.entries(record)
    .map(([field, value]) => `${field.replaceAll('_', ' ').padEnd(width)}  ${cellText(value)}\n`)
    .join('')
}

/** ISO 8601 of milliseconds since the epoch; null stays null. */
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}

function cellText(value: Cell): string {
  if (value === null) return '-'
  return Array.isArray(value) ? value.join('\n') : String(value)
}
