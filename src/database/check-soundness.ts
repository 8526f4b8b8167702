import BetterSqlite3 from 'better-sqlite3'

/**
 * Reads a whole database, about a second for each gigabyte, and compares its indexes and references.
 * @returns the first problem; undefined if it is sound
 */
export function findUnsoundness(file: string): string | undefined {
  const sqlite = new BetterSqlite3(file, { fileMustExist: true })
  try {
    sqlite.pragma('query_only = on')
    const problem = sqlite.pragma('integrity_check(1)', { simple: true })
    if (problem !== 'ok') return String(problem)
    const [orphan] = sqlite.pragma('foreign_key_check') as { table: string; parent: string }[]
    return orphan && `a row of ${orphan.table} refers to a missing row of ${orphan.parent}`
  } finally {
    sqlite.close()
  }
}
