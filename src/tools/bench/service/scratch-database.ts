import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { PostgresSettings } from '../../../config/postgres-settings.js'

/** An empty database on a PostgreSQL server. */
export interface ScratchDatabase {
  url: string
  settings: PostgresSettings
  /** Of the server. */
  version: string
  /** Drops it, whoever is connected. */
  drop: () => Promise<void>
}

const POOL_SIZE = 10

/**
 * Creates a database for a benchmark.
 * @param server - `postgres:` URL of a role that may create databases
 */
export async function createScratchDatabase(server: string): Promise<ScratchDatabase> {
  const name = `bench_${randomBytes(6).toString('hex')}`
  const version = await onServer(server, async (client) => {
    await client.query(`create database ${name} encoding 'UTF8' template template0`)
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]!.server_version
  })
  const url = new URL(server)
  url.pathname = name
  const { href } = url
  return {
    url: href,
    settings: { url: href, directUrl: href, poolSize: POOL_SIZE, migrations: 'start' },
    version,
    drop: async () => {
      await onServer(server, (client) => client.query(`drop database ${name} with (force)`))
    },
  }
}

async function onServer<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
