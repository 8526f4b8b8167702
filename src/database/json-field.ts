import { sql, type RawBuilder } from 'kysely'
import { isPostgres } from './dialect.js'
import type { Database } from './open-database.js'

/** The text of a field in a column that holds a JSON object; null if it lacks the field. */
export function jsonField(db: Database, column: string, field: string): RawBuilder<string | null> {
  return isPostgres(db)
    ? sql`cast(${sql.ref(column)} as jsonb) ->> ${field}`
    : sql`json_extract(${sql.ref(column)}, ${`$.${field}`})`
}
