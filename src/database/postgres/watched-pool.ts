import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { StorageWatch } from '../sqlite-connection.js'
import { StorageError } from '../storage-failure.js'
import { toPostgresStorageError } from './postgres-failure.js'
import type { PostgresSettings } from '../../config/postgres-settings.js'

/** How long a query waits for a connection. */
const CONNECTION_TIMEOUT_MS = 5_000
/** Types of PostgreSQL by their object id. Source: pg_type.dat */
const INT8 = 20
const NUMERIC = 1_700

/**
 * Connections of this process to PostgreSQL. Whole numbers come as `number`: counts and milliseconds stay far below 2⁵³.
 * Errors about the database as such become StorageErrors.
 */
export class WatchedPool implements PostgresPool {
  readonly #pool: pg.Pool
  readonly #watch: StorageWatch | undefined

  constructor({ url, poolSize }: Pick<PostgresSettings, 'url' | 'poolSize'>, watch?: StorageWatch) {
    this.#watch = watch
    this.#pool = new pg.Pool({
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'profile-intelligence',
      types: { getTypeParser },
    })
    // An idle connection that ends: the pool opens another one.
    this.#pool.on('error', () => {})
  }

  /** Connections open, idle and waited for. */
  get load(): { open: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#explained(() => this.#pool.connect())
    // Without a listener, the end of a connection in use would end the process; its query fails all the same.
    const ignoreEnd = () => {}
    client.on('error', ignoreEnd)
    const run = (text: string, values?: readonly unknown[]) =>
      this.#explained(() => client.query(text, values as unknown[]))
    return {
      query: run as unknown as PostgresPoolClient['query'],
      release: () => {
        client.off('error', ignoreEnd)
        client.release()
      },
    }
  }

  end(): Promise<void> {
    return this.#pool.end()
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (thrown) {
      const error = toPostgresStorageError(thrown)
      if (error instanceof StorageError) this.#watch?.report(error)
      throw error
    }
  }
}

const getTypeParser: typeof pg.types.getTypeParser = (oid, format) =>
  (Number(oid) === INT8 || Number(oid) === NUMERIC
    ? Number
    : pg.types.getTypeParser(oid, format as 'text')) as never
