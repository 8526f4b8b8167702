import fs from 'node:fs/promises'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { BackupError, writeManifest, type BackupFile } from '../../src/backup/backup-manifest.js'
import { copyDatabase } from '../../src/backup/copy-database.js'
import { DataFolderInUseError, lockDataFolder } from '../../src/database/lock-data-folder.js'
import { openDatabase, UNFINISHED_RESTORE } from '../../src/database/open-database.js'
import { OperatorError } from '../../src/core/operator-error.js'
import { describeOnPostgres, describeOnSqlite } from '../_database.js'
import { createDataFolder, type DataFolder } from './_data-folder.js'

let data: DataFolder
let backup: string

beforeEach(async () => {
  data = await createDataFolder()
  backup = path.join(data.root, 'backup')
})
afterEach(() => data.remove())

const names = async () =>
  (JSON.parse(await data.admin('org', 'list', '--json')) as { name: string }[]).map(
    ({ name }) => name,
  )

describeOnSqlite('a backup', () => {
  it('contains database, secret and plans, readable only by their owner', async () => {
    await data.admin('backup', backup)
    expect((await fs.readdir(backup)).sort()).toEqual([
      'manifest.json',
      'plans.json',
      'server-secret',
      'service.db',
    ])
    expect((await fs.stat(backup)).mode & 0o777).toBe(0o700)
    for (const file of await fs.readdir(backup)) {
      expect((await fs.stat(path.join(backup, file))).mode & 0o777).toBe(0o600)
    }
    expect(await fs.readdir(data.root)).toHaveLength(2)
  })

  it('restores the data and keeps the replaced files', async () => {
    await data.admin('backup', backup)
    await data.admin('org', 'create', 'Later')
    const { replaced_data } = JSON.parse(await data.admin('restore', backup, '--json')) as {
      replaced_data: string
    }
    expect(await names()).toEqual(['Acme'])
    const replaced = new BetterSqlite3(path.join(replaced_data, 'service.db'))
    expect(replaced.prepare('select name from organizations').pluck().all()).toContain('Later')
    replaced.close()
  })

  it('can be restored into an empty data folder', async () => {
    await data.admin('backup', backup)
    await fs.rm(data.dataDir, { recursive: true })
    await data.admin('restore', backup)
    expect(await names()).toEqual(['Acme'])
    expect((await fs.stat(path.join(data.dataDir, 'service.db'))).mode & 0o777).toBe(0o600)
  })

  it('without the secret can only be restored with the right secret', async () => {
    await data.admin('backup', backup, '--without-secret')
    expect(await fs.readdir(backup)).not.toContain('server-secret')
    const secret = path.join(data.dataDir, 'server-secret')
    await data.admin('restore', backup)
    const kept = await fs.readFile(secret)
    await fs.rm(secret)
    await expect(data.admin('restore', backup)).rejects.toThrow(
      'does not contain the server secret',
    )
    await fs.writeFile(secret, Buffer.alloc(32), { mode: 0o600 })
    await expect(data.admin('restore', backup)).rejects.toThrow('another server secret')
    await fs.writeFile(secret, kept)
    await data.admin('restore', backup)
  })

  it('never overwrites a folder, and leaves nothing if it fails', async () => {
    await fs.mkdir(backup)
    await expect(data.admin('backup', backup)).rejects.toBeInstanceOf(BackupError)
    await fs.rm(path.join(data.dataDir, 'service.db'))
    await fs.rmdir(backup)
    await expect(data.admin('backup', backup)).rejects.toBeInstanceOf(BackupError)
    expect(await fs.readdir(data.root)).toEqual(['data'])
  })

  it('is not written from a damaged database', async () => {
    const file = path.join(data.dataDir, 'service.db')
    const content = await fs.readFile(file)
    content.fill(0x5a, content.length / 2, content.length / 2 + 8_192)
    await fs.writeFile(file, content)
    await expect(copyDatabase(file, path.join(data.root, 'copy.db'))).rejects.toThrow(
      /corrupt|malformed/,
    )
  })

  it('finishes under constant writes and contains the state at its start', async () => {
    const file = path.join(data.dataDir, 'service.db')
    const writer = new BetterSqlite3(file)
    writer.exec(`create table large as select zeroblob(40000000)`)
    writer.exec(`insert into service_metadata values ('n', x'')`)
    const count = writer.prepare(
      `update service_metadata set value = randomblob(8) where name = 'n'`,
    )
    let steps = 0
    await copyDatabase(file, path.join(data.root, 'copy.db'), () => {
      steps += 1
      count.run()
    })
    const copy = new BetterSqlite3(path.join(data.root, 'copy.db'))
    expect(steps).toBeGreaterThan(2)
    const value = copy
      .prepare(`select length(value) from service_metadata where name = 'n'`)
      .pluck()
    expect(value.get()).toBe(0)
    copy.close()
    writer.close()
  })
})

/** Damages a page in the middle as a failing disk does. */
async function damagePages(file: string): Promise<void> {
  const content = await fs.readFile(file)
  const middle = Math.floor(content.length / 8_192) * 4_096
  await fs.writeFile(file, content.fill(0x5a, middle, middle + 8_192))
}

async function orphanKey(file: string): Promise<void> {
  const sqlite = new BetterSqlite3(file)
  sqlite.pragma('foreign_keys = off')
  sqlite.exec(`insert into api_key_secrets (key_id, prefix, created_at, secret_hash)
    values ('key_none', 'sk_test_none', 1, zeroblob(32))`)
  sqlite.pragma('journal_mode = delete')
  sqlite.close()
}

/** As if the backup had been written from a database that was damaged like this. */
async function correctManifest(folder: string): Promise<void> {
  const manifest = JSON.parse(await fs.readFile(path.join(folder, 'manifest.json'), 'utf8')) as {
    created_at: string
    files: Record<string, unknown>
  }
  await writeManifest(folder, {
    createdAt: Date.parse(manifest.created_at),
    names: Object.keys(manifest.files) as BackupFile[],
  })
}

describeOnSqlite('a restore', () => {
  beforeEach(() => data.admin('backup', backup))

  it('is refused while a server is running', async () => {
    const unlock = await lockDataFolder(data.dataDir)
    await expect(data.admin('restore', backup)).rejects.toBeInstanceOf(DataFolderInUseError)
    unlock()
  })

  it.each([
    ['has changed', (file: string) => fs.appendFile(file, 'x')],
    ['is missing', (file: string) => fs.rm(file)],
  ])('refuses a backup of which a file %s, and changes nothing', async (_what, damage) => {
    await damage(path.join(backup, 'service.db'))
    const before = await fs.readdir(data.dataDir)
    await expect(data.admin('restore', backup)).rejects.toBeInstanceOf(BackupError)
    expect(await fs.readdir(data.dataDir)).toEqual(before)
  })

  it.each([
    ['damaged page', (file: string) => damagePages(file)],
    ['row without the row that it refers to', (file: string) => orphanKey(file)],
  ])('refuses a backup whose database has a %s, and changes nothing', async (_what, damage) => {
    const file = path.join(backup, 'service.db')
    await damage(file)
    await correctManifest(backup)
    const visible = async () =>
      (await fs.readdir(data.dataDir)).filter((name) => name !== 'server.lock')
    const before = await visible()
    await expect(data.admin('restore', backup)).rejects.toThrow(/database of the backup is damaged/)
    expect(await visible()).toEqual(before)
    expect(await names()).toEqual(['Acme'])
  })

  it('refuses a folder that is not a backup', async () => {
    await expect(data.admin('restore', data.root)).rejects.toBeInstanceOf(BackupError)
  })

  it('keeps a server from starting after an interruption, and can be run again', async () => {
    await fs.writeFile(path.join(data.dataDir, UNFINISHED_RESTORE), '')
    await fs.rm(path.join(data.dataDir, 'service.db'))
    await expect(openDatabase(data.dataDir)).rejects.toBeInstanceOf(OperatorError)
    await data.admin('restore', backup)
    expect(await names()).toEqual(['Acme'])
  })
})

describeOnSqlite('starting anew', () => {
  it('moves the files of an installation that lost its database', async () => {
    await fs.rm(path.join(data.dataDir, 'service.db'))
    const printed = await data.admin('start-anew')
    const [folder] = (await fs.readdir(data.dataDir)).filter((name) => name.startsWith('replaced-'))
    expect(printed).toContain(folder)
    expect(await fs.readdir(path.join(data.dataDir, folder!))).toContain('server-secret')
    await data.admin('org', 'create', 'New')
    expect(await names()).toEqual(['New'])
  })

  it('is refused while there is a database, and while a server is running', async () => {
    await expect(data.admin('start-anew')).rejects.toThrow('There is a database')
    const unlock = await lockDataFolder(data.dataDir)
    await expect(data.admin('start-anew')).rejects.toBeInstanceOf(DataFolderInUseError)
    unlock()
    expect(await names()).toEqual(['Acme'])
  })
})

describeOnPostgres('backup, restore and start-anew', () => {
  it.each([
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ])('%s says which tool of PostgreSQL does it, and what belongs to it', async (command, tool) => {
    const running = data.admin(command, backup)
    await expect(running).rejects.toBeInstanceOf(OperatorError)
    await expect(running).rejects.toThrow(tool)
    await expect(running).rejects.toThrow('SERVER_SECRET_FILE')
    await expect(fs.access(backup)).rejects.toThrow('ENOENT')
  })

  it('start-anew says how to begin with a new database', async () => {
    await expect(data.admin('start-anew')).rejects.toThrow('DATABASE_URL')
    expect(await names()).toEqual(['Acme'])
  })
})
