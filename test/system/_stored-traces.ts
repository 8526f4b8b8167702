import { spawnSync } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { databaseEnvironment, isOnPostgres } from '../_database.js'

/**
 * Everything that a service has stored, by place: the files of its data folder; on PostgreSQL also a dump of its database, the
 * files of that database, and the log and write-ahead log of the server since a time.
 * @param since - Unix milliseconds
 */
export async function readStored(dataDir: string, since: number): Promise<Map<string, Buffer>> {
  const stored = await readFolder(dataDir)
  if (!isOnPostgres) return stored
  const { DATABASE_URL: url } = await databaseEnvironment(dataDir)
  const folder = process.env.TEST_POSTGRES_FOLDER!
  const database = await writePages(url!)
  return new Map([
    ...stored,
    ['dump', dump(url!)],
    ['log', await readFile(path.join(folder, 'log'))],
    ...(await readFolder(path.join(folder, 'data', 'base', database))),
    ...(await readFolder(path.join(folder, 'data', 'pg_wal'), since)),
  ])
}

/** PostgreSQL keeps changed pages in memory until a checkpoint. Returns the name of the database's folder. */
async function writePages(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('checkpoint')
  const { rows } = await client.query<{ oid: string }>(
    'select oid::text from pg_database where datname = current_database()',
  )
  await client.end()
  return rows[0]!.oid
}

function dump(url: string): Buffer {
  const program = path.join(process.env.TEST_POSTGRES_BIN!, 'pg_dump')
  const { status, stdout, stderr } = spawnSync(program, [url], { maxBuffer: 256 * 1024 * 1024 })
  if (status !== 0) throw new Error(`pg_dump failed: ${stderr.toString()}`)
  return stdout
}

async function readFolder(folder: string, since = 0): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const contents = new Map<string, Buffer>()
  for (const file of files) {
    const content = await readIfChanged(file, since)
    if (content) contents.set(file, content)
  }
  return contents
}

/** Segments of the write-ahead log are reused at any time. */
async function readIfChanged(file: string, since: number): Promise<Buffer | undefined> {
  try {
    const { mtimeMs } = await stat(file)
    return mtimeMs < since ? undefined : await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
