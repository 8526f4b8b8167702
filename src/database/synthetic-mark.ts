import type { Database } from './open-database.js'

/** Name of the `service_metadata` entry that marks a database. */
export const SYNTHETIC_MARK = 'synthetic_history'

/** Permanently marks a database as filled with synthetic data. */
export async function markSynthetic(db: Database): Promise<void> {
  await db
    .insertInto('service_metadata')
    .values({ name: SYNTHETIC_MARK, value: Buffer.from('1') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether the database was filled with synthetic data, which the portal shows on every page. */
export async function isMarkedSynthetic(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('service_metadata')
    .select('name')
    .where('name', '=', SYNTHETIC_MARK)
    .executeTakeFirst()
  return row !== undefined
}
