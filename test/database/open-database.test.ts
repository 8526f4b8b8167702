import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../../src/database/open-database.js'
import { DataFolderInUseError, lockDataFolder } from '../../src/database/lock-data-folder.js'
import { startCheckpoints } from '../../src/database/start-checkpoints.js'
import { transactDurably } from '../../src/database/transact-durably.js'
import { until } from '../inference/workers/_fixture-host.js'
import { describeOnSqlite } from '../_database.js'

let folder: string
let dataDir: string
let db: Database

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'database-'))
  dataDir = path.join(folder, 'nested', 'data')
  db = await openDatabase(dataDir)
})

afterEach(async () => {
  await db.destroy()
  await fs.rm(folder, { recursive: true })
})

const organization = { id: 'org_1', name: 'One', plan: 'free', created_at: 1 }

class Interrupted extends Error {}

async function pragma(name: string): Promise<unknown> {
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db)
  return Object.values(rows[0] ?? {})[0]
}

describeOnSqlite('openDatabase', () => {
  it('protects folder and files from other users of the machine', async () => {
    await db.insertInto('organizations').values(organization).execute()
    expect((await fs.stat(dataDir)).mode & 0o777).toBe(0o700)
    const files = await fs.readdir(dataDir)
    expect(files).toEqual(expect.arrayContaining(['service.db', 'service.db-wal']))
    for (const file of files) {
      expect((await fs.stat(path.join(dataDir, file))).mode & 0o777).toBe(0o600)
    }
  })

  it('uses a write-ahead log, checks foreign keys and waits for other processes', async () => {
    expect(await pragma('journal_mode')).toBe('wal')
    expect(await pragma('foreign_keys')).toBe(1)
    expect(await pragma('busy_timeout')).toBeGreaterThan(0)
    const orphan = { key_id: 'key_none', prefix: '', created_at: 1, secret_hash: Buffer.alloc(32) }
    const insert = db.insertInto('api_key_secrets').values(orphan).execute()
    await expect(insert).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' })
  })

  it('keeps data between openings', async () => {
    await db.insertInto('organizations').values(organization).execute()
    await db.destroy()
    db = await openDatabase(dataDir)
    expect(await db.selectFrom('organizations').selectAll().execute()).toEqual([organization])
  })

  it('takes the write lock when a transaction begins', async () => {
    const other = new BetterSqlite3(path.join(dataDir, 'service.db'), { timeout: 0 })
    try {
      await db.transaction().execute(async (transaction) => {
        await transaction.selectFrom('organizations').selectAll().execute()
        expect(() => other.exec('begin immediate')).toThrow(
          expect.objectContaining({ code: 'SQLITE_BUSY' }),
        )
      })
      other.exec('begin immediate')
    } finally {
      other.close()
    }
  })

  it('runs more different statements than its cache holds', async () => {
    for (let round = 0; round < 2; round++) {
      for (let width = 1; width <= 250; width++) {
        const ids = Array.from({ length: width }, (_, index) => `org_${index}`)
        await db.selectFrom('organizations').select('id').where('id', 'in', ids).execute()
      }
    }
    await db.insertInto('organizations').values(organization).execute()
    expect(await db.selectFrom('organizations').select('name').execute()).toEqual([{ name: 'One' }])
  })
})

describeOnSqlite('transactDurably', () => {
  it('syncs the log at its commit only', async () => {
    await transactDurably(db, async (transaction) => {
      const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(transaction)
      expect(rows).toEqual([{ synchronous: 2 }])
    })
    expect(await pragma('synchronous')).toBe(1)
  })

  it('rolls back if the work fails', async () => {
    const failing = transactDurably(db, async (transaction) => {
      await transaction.insertInto('organizations').values(organization).execute()
      throw new Interrupted()
    })
    await expect(failing).rejects.toBeInstanceOf(Interrupted)
    expect(await db.selectFrom('organizations').selectAll().execute()).toEqual([])
    expect(await pragma('synchronous')).toBe(1)
  })
})

describeOnSqlite('lockDataFolder', () => {
  it('admits one server at a time, but any number of admin commands', async () => {
    const unlock = await lockDataFolder(dataDir)
    await expect(lockDataFolder(dataDir)).rejects.toBeInstanceOf(DataFolderInUseError)
    const operator = await openDatabase(dataDir)
    await operator.insertInto('organizations').values(organization).execute()
    await operator.destroy()
    unlock()
    const unlockAgain = await lockDataFolder(dataDir)
    unlockAgain()
  })
})

describeOnSqlite('startCheckpoints', () => {
  const options = () => ({
    db,
    dataDir,
    onFailure: () => {},
    onRecovery: () => {},
    onEnd: () => {},
  })
  const databaseBytes = async () => (await fs.stat(path.join(dataDir, 'service.db'))).size

  it('checkpoints the log outside of requests', async () => {
    const failures: string[] = []
    const onFailure = (code: string) => void failures.push(code)
    const end = await startCheckpoints({ ...options(), intervalMs: 5, onFailure })
    try {
      expect(await pragma('wal_autocheckpoint')).toBe(0)
      const before = await databaseBytes()
      await sql`insert into service_metadata values ('large', zeroblob(8000000))`.execute(db)
      while (failures.length === 0 && (await databaseBytes()) < before + 8_000_000) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      expect(failures).toEqual([])
    } finally {
      await end()
    }
  })

  it('never blocks writers because of a long reader, however large the log is', async () => {
    const end = await startCheckpoints({ ...options(), intervalMs: 1 })
    const file = path.join(dataDir, 'service.db')
    const reader = new BetterSqlite3(file)
    const writer = new BetterSqlite3(file, { timeout: 1_000 })
    writer.pragma('wal_autocheckpoint = 0')
    writer.pragma('synchronous = off')
    try {
      reader.exec('begin; select * from organizations')
      // Beyond the size at which the log is restarted.
      writer.exec('create table large as select zeroblob(70000000)')
      const write = writer.prepare(`insert or replace into service_metadata values ('small', ?)`)
      for (let round = 0; round < 100; round++) {
        write.run(Buffer.alloc(100))
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      expect((await fs.stat(`${file}-wal`)).size).toBeGreaterThan(70_000_000)
    } finally {
      reader.close()
      writer.close()
      await end()
    }
  })

  it('reports that checkpoints fail, keeps trying, and reports that they work again', async () => {
    const reports: string[] = []
    const missing = path.join(folder, 'missing')
    const end = await startCheckpoints({
      ...options(),
      dataDir: missing,
      intervalMs: 5,
      onFailure: (code) => void reports.push(code),
      onRecovery: () => void reports.push('ok'),
    })
    try {
      await until(() => reports.length > 0)
      await fs.mkdir(missing)
      await (await openDatabase(missing)).destroy()
      await until(() => reports.at(-1) === 'ok')
      expect(reports[0]).not.toBe('ok')
      expect(await pragma('wal_autocheckpoint')).toBe(0)
    } finally {
      await end()
    }
  })

  it('starts the thread again when it ends, and lets commits run checkpoints until then', async () => {
    let ends = 0
    const entry = new URL('data:text/javascript,process.exit(1)')
    const end = await startCheckpoints({ ...options(), entry, onEnd: () => void (ends += 1) })
    try {
      await until(() => ends > 0)
      expect(await pragma('wal_autocheckpoint')).toBe(1_000)
      await until(() => ends > 1)
    } finally {
      await end()
    }
  })
})
