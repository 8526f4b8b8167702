import { sql } from 'kysely'
import type { Database } from '../open-database.js'

/** Blocks of a table, or of the largest partition of a partitioned one, which are numbered from 0. */
export async function countBlocks(db: Database, table: string): Promise<number> {
  const { rows } = await sql<{ blocks: number }>`
    select coalesce(max(pg_relation_size(part) / current_setting('block_size')::int), 0) as blocks
    from (
      select ${table}::regclass as part
      union all
      select relid from pg_partition_tree(${table}::regclass) where isleaf
    ) as parts
  `.execute(db)
  return rows[0]?.blocks ?? 0
}
