import type BetterSqlite3 from 'better-sqlite3'

const MAX_CACHED_STATEMENTS = 200

export interface StatementCache {
  prepare(sql: string): BetterSqlite3.Statement
}

/**
 * For short statements, preparing costs more than running. Pragmas are not cached: some take effect when they are
 * prepared.
 */
export function cacheStatements(sqlite: BetterSqlite3.Database): StatementCache {
  const cache = new Map<string, BetterSqlite3.Statement>()
  return {
    prepare(sql) {
      const cached = cache.get(sql)
      if (cached) return cached
      const statement = sqlite.prepare(sql)
      if (/^\s*pragma/i.test(sql)) return statement
      const [oldest] = cache.keys()
      if (cache.size >= MAX_CACHED_STATEMENTS && oldest !== undefined) cache.delete(oldest)
      cache.set(sql, statement)
      return statement
    },
  }
}
