import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { OperatorError } from '../../src/core/operator-error.js'
import { ConnectionQueue } from '../../src/database/connection-queue.js'
import { explainStorageFailure } from '../../src/database/explain-storage-failure.js'
import { MissingDatabaseError } from '../../src/database/installation.js'
import { DataFolderInUseError, lockDataFolder } from '../../src/database/lock-data-folder.js'
import { openDatabase } from '../../src/database/open-database.js'
import { StorageError } from '../../src/database/storage-failure.js'
import { openSecretOf } from '../../src/organizations/check-server-secret.js'
import { ServerSecretError } from '../../src/organizations/server-secret.js'
import { describeOnSqlite } from '../_database.js'

let dataDir: string

beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'diagnosis-'))
})
afterEach(() => fs.rm(dataDir, { recursive: true }))

const file = () => path.join(dataDir, 'service.db')

/** Creates what the first start leaves. */
async function install(): Promise<void> {
  const db = await openDatabase(dataDir)
  await openSecretOf(db, { dataDir })
  await db.destroy()
}

const errorWith = (code: string) => Object.assign(new Error(`failed: ${code}`), { code })

describeOnSqlite('an installation that lost its database', () => {
  it.each([
    ['was deleted', () => fs.rm(file())],
    ['was emptied', () => fs.truncate(file())],
    ['was replaced by one without tables', () => replaceByEmptyDatabase()],
  ])('is not replaced by a new one when the database %s', async (_how, lose) => {
    await install()
    const before = await fs.readFile(path.join(dataDir, 'server-secret'))
    await lose()
    const opening = openDatabase(dataDir)
    await expect(opening).rejects.toBeInstanceOf(MissingDatabaseError)
    await expect(opening).rejects.toThrow(/restore FOLDER.*start-anew/)
    expect(await fs.readFile(path.join(dataDir, 'server-secret'))).toEqual(before)
  })

  it('is not created in an empty folder when a database is required', async () => {
    const opening = openDatabase(dataDir, { mustExist: true })
    await expect(opening).rejects.toThrow('REQUIRE_DATABASE')
    expect(await fs.readdir(dataDir)).toEqual([])
  })

  it('keeps a database whose secret is missing from getting another one', async () => {
    await install()
    await fs.rm(path.join(dataDir, 'server-secret'))
    const db = await openDatabase(dataDir)
    try {
      await expect(openSecretOf(db, { dataDir })).rejects.toBeInstanceOf(ServerSecretError)
      expect(await fs.readdir(dataDir)).not.toContain('server-secret')
    } finally {
      await db.destroy()
    }
  })
})

async function replaceByEmptyDatabase(): Promise<void> {
  await fs.rm(file())
  const sqlite = new BetterSqlite3(file())
  sqlite.exec('create table t (x); drop table t')
  sqlite.close()
}

describeOnSqlite('a failure of the storage', () => {
  it.each([
    ['SQLITE_FULL', 'is full'],
    ['ENOSPC', 'is full'],
    ['SQLITE_READONLY_DIRECTORY', 'cannot be written'],
    ['EROFS', 'cannot be written'],
    ['SQLITE_CANTOPEN', 'cannot be opened'],
    ['EACCES', 'cannot be opened'],
    ['SQLITE_IOERR_WRITE', 'Check the disk'],
    ['SQLITE_NOTADB', 'is damaged'],
    ['SQLITE_CORRUPT_INDEX', 'is damaged'],
    ['SQLITE_BUSY', 'a lock'],
    ['EMFILE', 'LimitNOFILE'],
    ['ENFILE', 'LimitNOFILE'],
  ])('with the code %s is explained to the operator', async (code, text) => {
    const explained = await explainStorageFailure(errorWith(code), { dataDir })
    expect(explained).toBeInstanceOf(OperatorError)
    expect((explained as Error).message).toContain(text)
    expect((explained as Error).message).toContain(code)
  })

  it('is told from errors that are not about storage', async () => {
    for (const other of [errorWith('SQLITE_CONSTRAINT'), new TypeError('bug'), undefined]) {
      expect(await explainStorageFailure(other, { dataDir })).toBe(other)
    }
    const program = Object.assign(errorWith('ENOENT'), { path: '/usr/bin/none', syscall: 'spawn' })
    expect(await explainStorageFailure(program, { dataDir })).toBe(program)
  })

  it('says which folder or file it is about', async () => {
    const error = Object.assign(errorWith('EROFS'), { path: '/models/pack.part', syscall: 'open' })
    const explained = await explainStorageFailure(error, { dataDir })
    expect((explained as Error).message).toContain('/models/pack.part')
  })

  it('is not taken for another server or a newer version', async () => {
    const folder = path.join(dataDir, 'a-file')
    await fs.writeFile(folder, '')
    const locking = lockDataFolder(folder)
    await expect(locking).rejects.not.toBeInstanceOf(DataFolderInUseError)
    await install()
    const content = await fs.readFile(file())
    await fs.writeFile(file(), content.fill(0x5a, 100, content.length))
    await expect(openDatabase(dataDir)).rejects.toThrow(/is damaged.*restore/)
  })

  it('names a newer version only when there is one', async () => {
    await install()
    const sqlite = new BetterSqlite3(file())
    sqlite.exec(`insert into kysely_migration values ('999-later', '2030')`)
    sqlite.close()
    await expect(openDatabase(dataDir)).rejects.toThrow(/newer version.*999-later/)
  })
})

describeOnSqlite('the connection', () => {
  it('is passed on in order of arrival', async () => {
    const queue = new ConnectionQueue(10_000)
    await queue.acquire()
    const order: number[] = []
    const waiting = [1, 2, 3].map(async (number) => {
      await queue.acquire()
      order.push(number)
      queue.release()
    })
    queue.release()
    await Promise.all(waiting)
    expect(order).toEqual([1, 2, 3])
    await queue.acquire()
  })

  it('is not waited for without end', async () => {
    const queue = new ConnectionQueue(20)
    await queue.acquire()
    await expect(queue.acquire()).rejects.toBeInstanceOf(StorageError)
    queue.release()
    await queue.acquire()
  })
})
