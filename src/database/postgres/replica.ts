import { randomUUID } from 'node:crypto'
import { sql, type Expression, type RawBuilder } from 'kysely'
import { POSTGRES_TIME } from '../database-time.js'
import type { Database } from '../open-database.js'
import { withinPatience } from './probe-server.js'

const BEAT_INTERVAL_MS = 5_000
/** After three missed beats. */
const DEAD_AFTER_MS = 15_000
/** A row that is older has the same meaning as none. */
const FORGET_AFTER_MS = 60_000

export interface ReplicaOptions {
  /** Called once when this replica has not beaten for so long that others presume it dead. */
  onLost: (error: unknown) => void
  /** Called when it beats again. */
  onRecovery: () => void
  /** Default: 5,000. */
  intervalMs?: number
  /** Milliseconds of a clock that nobody sets. Default: `performance.now`. */
  uptime?: () => number
}

/**
 * One of the servers on a PostgreSQL database. It writes every 5 seconds, by the clock of the database, that it lives; 15
 * seconds after the last beat the others presume it dead and take over what it executes. One that is presumed dead but still
 * runs, for example after a pause, learns at its next statement that it has lost an execution.
 */
export class Replica {
  /** Names this process in the records of what it executes. */
  readonly id = randomUUID()
  readonly #db: Database
  readonly #options: ReplicaOptions
  readonly #uptime: () => number
  #lastBeatAt = -Infinity
  #beat: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isLost = false

  private constructor(db: Database, options: ReplicaOptions) {
    this.#db = db
    this.#options = options
    this.#uptime = options.uptime ?? (() => performance.now())
  }

  /** @throws StorageError when the first beat cannot be written */
  static async join(db: Database, options: ReplicaOptions): Promise<Replica> {
    const replica = new Replica(db, options)
    await replica.beat()
    const { intervalMs = BEAT_INTERVAL_MS } = options
    replica.#timer = setInterval(() => void replica.#beatAndReport(), intervalMs).unref()
    return replica
  }

  /** Whether others may have taken over what this replica executes. */
  get isPresumedDead(): boolean {
    return this.#uptime() - this.#lastBeatAt >= DEAD_AFTER_MS
  }

  /**
   * Makes sure that others do not presume this replica dead. Call it before it begins what others could take over.
   * @throws StorageError when that cannot be written
   */
  async ensureAlive(): Promise<void> {
    if (this.isPresumedDead) await this.beat()
  }

  /** @throws StorageError */
  beat(): Promise<void> {
    this.#beat ??= this.#writeBeat().finally(() => (this.#beat = undefined))
    return this.#beat
  }

  /** Leaves at once what it has not finished to the others; if the database cannot be reached, they have it 15 seconds later. */
  async leave(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beat?.catch(() => {})
    const remove = this.#db.deleteFrom('replicas').where('id', '=', this.id)
    await withinPatience(async () => void (await remove.execute())).catch(() => {})
  }

  async #writeBeat(): Promise<void> {
    // Before the statement: its time of the database is later, so others never count from earlier than this replica does.
    const startedAt = this.#uptime()
    await withinPatience(() => writeBeat(this.#db, this.id))
    this.#lastBeatAt = startedAt
    if (this.#isLost) this.#options.onRecovery()
    this.#isLost = false
  }

  async #beatAndReport(): Promise<void> {
    try {
      await this.beat()
    } catch (error) {
      if (this.#isLost || !this.isPresumedDead) return
      this.#isLost = true
      this.#options.onLost(error)
    }
  }
}

/**
 * Whether a replica has beaten within 15 seconds, as a condition of a statement.
 * @param id - a column with the id of a replica
 */
export function isAlive(id: Expression<string | null>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from replicas as living
    where living.id = ${id} and living.beat_at > ${POSTGRES_TIME} - ${sql.lit(DEAD_AFTER_MS)}
  )`
}

/**
 * Also deletes the rows of replicas that are long dead. It skips what another replica deletes at the same time: when all come
 * back after a failure of the server, they would wait for each other.
 */
async function writeBeat(db: Database, id: string): Promise<void> {
  await sql`
    with forgotten as (
      delete from replicas where id in (
        select id from replicas
        where id <> ${id} and beat_at <= ${POSTGRES_TIME} - ${sql.lit(FORGET_AFTER_MS)}
        for update skip locked
      )
    )
    insert into replicas (id, beat_at) values (${id}, ${POSTGRES_TIME})
    on conflict (id) do update set beat_at = excluded.beat_at
  `.execute(db)
}
