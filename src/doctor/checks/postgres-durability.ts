import { Kysely, PostgresDialect, sql } from 'kysely'
import type { PostgresSettings } from '../../config/postgres-settings.js'
import { WatchedPool } from '../../database/postgres/watched-pool.js'
import type { Tables } from '../../database/schema.js'
import { failed, ok, warning, type Finding } from '../check.js'

export interface DurabilityFacts {
  fsync: boolean
  fullPageWrites: boolean
  /** `on`, `off`, or how far a commit waits for standbys. */
  synchronousCommit: string
}

/** Checks that PostgreSQL keeps what it has committed. Only reads. */
export async function checkDurability({ url }: Pick<PostgresSettings, 'url'>): Promise<Finding> {
  const pool = new WatchedPool({ url, poolSize: 1 })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return judgeDurability(await readFacts(db))
  } finally {
    await db.destroy()
  }
}

/** Whether settings of the server, the database or the role would lose what was acknowledged. */
export function judgeDurability({
  fsync,
  fullPageWrites,
  synchronousCommit,
}: DurabilityFacts): Finding {
  const off = [...(fsync ? [] : ['fsync']), ...(fullPageWrites ? [] : ['full_page_writes'])]
  if (off.length > 0) {
    return failed(
      `${off.join(' and ')} ${off.length > 1 ? 'are' : 'is'} off: a power cut can destroy the whole database`,
      `Set ${off.map((name) => `${name} = on`).join(' and ')} in postgresql.conf.`,
    )
  }
  if (synchronousCommit === 'off') {
    return warning(
      'synchronous_commit is off: a crash of the server loses calls and events of up to its last second that were acknowledged',
      'Turn synchronous_commit on for the server, the database and the role of DATABASE_URL.',
    )
  }
  return ok('commits are on the disk before they are acknowledged')
}

async function readFacts(db: Kysely<Tables>): Promise<DurabilityFacts> {
  const { rows } = await sql<DurabilityFacts>`
    select
      cast(current_setting('fsync') as boolean) as fsync,
      cast(current_setting('full_page_writes') as boolean) as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit"
  `.execute(db)
  return rows[0]!
}
