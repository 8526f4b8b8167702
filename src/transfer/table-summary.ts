import { createHash } from 'node:crypto'

/** What is compared of a table; whole numbers as text, since sums may exceed 2⁵³. */
export interface TableSummary {
  rows: number
  /** Sum of the first 32 bits of the SHA-256 of each row, so in no order. */
  checksum: string
  /** Sum of each counter by its column; empty for tables without counters. */
  sums: Record<string, string>
}

/** SHA-256 of the summaries of all tables, in hexadecimal: changes with any row. */
export function fingerprintOf(summaries: ReadonlyMap<string, TableSummary>): string {
  return createHash('sha256')
    .update(JSON.stringify([...summaries]))
    .digest('hex')
}

/** Tables whose summaries differ, with what differs. */
export function findDifferences(
  source: ReadonlyMap<string, TableSummary>,
  target: ReadonlyMap<string, TableSummary>,
): string[] {
  return [...source].flatMap(([table, expected]) => {
    const found = target.get(table)
    if (found?.rows !== expected.rows) {
      return [`${table} has ${found?.rows ?? 'no'} rows in place of ${expected.rows}`]
    }
    const sum = Object.keys(expected.sums).find((name) => found.sums[name] !== expected.sums[name])
    if (sum !== undefined) return [`the sum of ${table}.${sum} differs`]
    return found.checksum === expected.checksum ? [] : [`rows of ${table} differ`]
  })
}
