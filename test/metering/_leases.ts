import type { Database } from '../../src/database/open-database.js'

/** Makes all leases lapse, as time does: on PostgreSQL nobody can set the clock that decides. */
export async function letLeasesLapse(db: Database): Promise<void> {
  await db.updateTable('quota_leases').set({ deadline: 0 }).execute()
}

/** Permits and leases of all scopes together. */
export async function countPermits(db: Database): Promise<{ admitted: number; leased: number }> {
  return db
    .selectNoFrom((select) => [
      select
        .selectFrom('quota_usage')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('admitted'), select.lit(0)).as('sum'))
        .$asScalar()
        .$notNull()
        .as('admitted'),
      select
        .selectFrom('quota_leases')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('leased'),
    ])
    .executeTakeFirstOrThrow()
}
