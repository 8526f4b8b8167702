import { sql } from 'kysely'
import type { Database } from '../../../database/open-database.js'

const CHUNK = 1_000_000

/** Runs `fill` on an emptied table whose indexes come afterwards. */
export async function refillTable(
  db: Database,
  {
    table,
    without,
    thenAdd,
  }: { table: string; without: readonly string[]; thenAdd: readonly string[] },
  fill: (transaction: Database) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction)
    await sql`truncate ${sql.table(table)} cascade`.execute(transaction)
    for (const statement of without) await sql.raw(statement).execute(transaction)
    await fill(transaction)
    for (const statement of thenAdd) await sql.raw(statement).execute(transaction)
  })
}

export async function inChunks(
  pairs: number,
  work: (from: number, to: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < pairs; from += CHUNK) {
    await work(from, Math.min(pairs, from + CHUNK) - 1)
  }
}
