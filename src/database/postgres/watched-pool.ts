import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { errorCode } from '../../core/error-code.js'
import type { StorageFailure } from '../../core/storage-state.js'
import type { StorageWatch } from '../sqlite-connection.js'
import { StorageError } from '../storage-failure.js'
import { NamedStatements } from './named-statements.js'
import { toPostgresStorageError } from './postgres-failure.js'
import type { PostgresSettings } from '../../config/postgres-settings.js'

/** How long a query waits for a connection. */
const CONNECTION_TIMEOUT_MS = 5_000
/** How long a server waits for an answer before it gives a connection up, which a network that drops packets never ends. */
const ANSWER_TIMEOUT_MS = 15_000
/** A connection that failed for one of these is not used again: the next one may lead to another server. */
const ENDING: ReadonlySet<StorageFailure> = new Set(['unreachable', 'read_only'])
/** Types of PostgreSQL by their object id. Source: pg_type.dat */
const INT8 = 20
const NUMERIC = 1_700

/** Connections in use and idle, and queries that wait for one. */
export interface PoolLoad {
  used: number
  idle: number
  waiting: number
}

/** What the rest of the service may see of the connections. */
export type Pool = Pick<WatchedPool, 'load' | 'size' | 'longestWaitMs' | 'onConnect'>

/**
 * Connections of this process to PostgreSQL. Whole numbers come as `number`: counts and milliseconds stay far below 2⁵³.
 * Errors about the database as such become StorageErrors.
 */
export class WatchedPool implements PostgresPool {
  /** Connections that may be open at a time. */
  readonly size: number
  /** Called when a query has got a connection, or none, with the milliseconds that it waited. */
  onConnect: ((outcome: 'connected' | 'failed', waitedMs: number) => void) | undefined
  readonly #pool: pg.Pool
  readonly #watch: StorageWatch | undefined
  /** When each query began to wait that still waits, the oldest first. */
  readonly #waits = new Set<{ since: number }>()
  readonly #statements = new NamedStatements()

  constructor({ url, poolSize }: Pick<PostgresSettings, 'url' | 'poolSize'>, watch?: StorageWatch) {
    this.size = poolSize
    this.#watch = watch
    this.#pool = new pg.Pool({
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      keepAlive: true,
      // Migrations and the deletion of many rows, which have no watch, may take longer.
      ...(watch && { query_timeout: ANSWER_TIMEOUT_MS }),
      application_name: 'profile-intelligence',
      types: { getTypeParser },
    })
    // An idle connection that ends: the pool opens another one.
    this.#pool.on('error', () => {})
  }

  get load(): PoolLoad {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
  }

  /** Milliseconds that a query has waited while all connections are in use; 0 when none waits for that reason. */
  get longestWaitMs(): number {
    const [oldest] = this.#waits
    return oldest && this.#isExhausted ? performance.now() - oldest.since : 0
  }

  get #isExhausted(): boolean {
    return this.#pool.idleCount === 0 && this.#isFull
  }

  get #isFull(): boolean {
    return this.#pool.totalCount === this.size
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#explained(() => this.#connect())
    // Without a listener, the end of a connection in use would end the process; its query fails all the same.
    const ignoreEnd = () => {}
    client.on('error', ignoreEnd)
    let hasFailed = false
    const run = (text: string, values?: readonly unknown[]) =>
      this.#explained(
        () => client.query(this.#statements.toQuery(client, text, values)),
        ({ failure }) => (hasFailed ||= ENDING.has(failure)),
      )
    return {
      query: run as unknown as PostgresPoolClient['query'],
      release: () => {
        client.off('error', ignoreEnd)
        client.release(hasFailed)
      },
    }
  }

  end(): Promise<void> {
    return this.#pool.end()
  }

  async #connect(): Promise<pg.PoolClient> {
    const wait = { since: performance.now() }
    this.#waits.add(wait)
    let outcome: 'connected' | 'failed' = 'failed'
    try {
      const client = await this.#pool.connect()
      await this.#statements.lookAt(client)
      outcome = 'connected'
      return client
    } catch (cause) {
      // The database works, but not as fast as this process asks.
      const isBusy = this.#isFull && errorCode(cause) === undefined
      throw isBusy ? new StorageError('locked', { cause, code: 'overloaded' }) : cause
    } finally {
      this.#waits.delete(wait)
      this.onConnect?.(outcome, performance.now() - wait.since)
    }
  }

  async #explained<T>(
    work: () => Promise<T>,
    onFailure: (error: StorageError) => void = () => {},
  ): Promise<T> {
    try {
      return await work()
    } catch (thrown) {
      const error = toPostgresStorageError(thrown)
      if (error instanceof StorageError) {
        onFailure(error)
        this.#watch?.report(error)
      }
      throw error
    }
  }
}

const getTypeParser: typeof pg.types.getTypeParser = (oid, format) =>
  (Number(oid) === INT8 || Number(oid) === NUMERIC
    ? Number
    : pg.types.getTypeParser(oid, format as 'text')) as never
