import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { OperatorError } from '../../src/core/operator-error.js'
import { explainStorageFailure } from '../../src/database/explain-storage-failure.js'
import { openDatabase } from '../../src/database/open-database.js'
import { toPostgresStorageError } from '../../src/database/postgres/postgres-failure.js'
import { StorageError } from '../../src/database/storage-failure.js'
import type { PostgresSettings } from '../../src/config/postgres-settings.js'
import { describeOnPostgres, dropTestDatabase, postgresOf } from '../_database.js'

const URL_WITH_SECRETS = 'postgres://anna:hunter2@db.example:6543/service?sslmode=require'
const postgres = settingsFor(URL_WITH_SECRETS)

function settingsFor(url: string): PostgresSettings {
  return { url, directUrl: url, poolSize: 2, migrations: 'start' }
}

const errorWith = (code: string) => Object.assign(new Error(code), { code })

describe('a failure of PostgreSQL', () => {
  it.each([
    ['53100', 'full', 'is full'],
    ['25006', 'read_only', 'standby'],
    ['40P01', 'locked', 'pg_stat_activity'],
    ['53300', 'too_many_files', 'max_connections'],
    ['XX001', 'damaged', 'latest backup'],
    ['3D000', 'missing', 'no such database'],
    ['28P01', 'unreachable', 'user or password'],
    ['57P03', 'unreachable', 'starting'],
    ['ECONNREFUSED', 'unreachable', 'cannot be reached'],
    ['ENOTFOUND', 'unreachable', 'cannot be reached'],
  ])('with the code %s counts as %s, and is explained', async (code, failure, text) => {
    const error = toPostgresStorageError(errorWith(code))
    expect(error).toMatchObject({ failure, reason: code })
    const explained = await explainStorageFailure(error, { dataDir: '/data', postgres })
    expect(explained).toBeInstanceOf(OperatorError)
    const { message } = explained as Error
    expect(message).toContain(text)
    expect(message).toContain(code)
    expect(message).toContain('db.example:6543, database service')
    expect(message).not.toMatch(/anna|hunter2/)
  })

  it('is told from errors of queries', () => {
    for (const other of [errorWith('23505'), errorWith('42P01'), new TypeError('bug'), undefined]) {
      expect(toPostgresStorageError(other)).toBe(other)
    }
  })

  it('is recognised by its message where it has no code', () => {
    for (const text of ['Connection terminated unexpectedly', 'Query read timeout']) {
      expect(toPostgresStorageError(new Error(text))).toBeInstanceOf(StorageError)
    }
  })

  it('at the start says that nothing listens', async () => {
    const url = 'postgres://anna:hunter2@127.0.0.1:1/service'
    const opening = openDatabase('/data', { postgres: settingsFor(url) })
    await expect(opening).rejects.toThrow(
      'PostgreSQL at 127.0.0.1:1, database service cannot be reached',
    )
    await expect(opening).rejects.toBeInstanceOf(OperatorError)
  })
})

describeOnPostgres('a pool of connections', () => {
  let dataDir: string
  let settings: PostgresSettings
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'pool-'))
    settings = (await postgresOf(dataDir))!
  })
  afterEach(async () => {
    await dropTestDatabase(dataDir)
    await rm(dataDir, { recursive: true })
  })

  it('says that the database does not exist', async () => {
    await dropTestDatabase(dataDir)
    await expect(openDatabase(dataDir, { postgres: settings })).rejects.toThrow('no such database')
  })

  it('replaces connections that the server has ended', async () => {
    const db = await openDatabase(dataDir, { postgres: settings })
    const other = new pg.Client({ connectionString: settings.url })
    await other.connect()
    try {
      await db.selectFrom('organizations').select('id').execute()
      await other.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      const answers = await Promise.allSettled(
        Array.from({ length: 4 }, () => db.selectFrom('organizations').select('id').execute()),
      )
      const reasons = answers.flatMap((answer) =>
        answer.status === 'rejected' ? [answer.reason as unknown] : [],
      )
      expect(reasons.filter((reason) => !(reason instanceof StorageError))).toEqual([])
      expect(await db.selectFrom('organizations').select('id').execute()).toEqual([])
    } finally {
      await other.end()
      await db.destroy()
    }
  })
})
