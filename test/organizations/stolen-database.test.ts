import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../../src/database/open-database.js'
import { authenticate } from '../../src/organizations/authenticate.js'
import { checkServerSecret } from '../../src/organizations/check-server-secret.js'
import { createIdempotency } from '../../src/metering/idempotency.js'
import { runMetered } from '../metering/_run-metered.js'
import { rotateKey } from '../../src/organizations/rotate-key.js'
import { openServerSecret, ServerSecretError } from '../../src/organizations/server-secret.js'
import { isOnPostgres, openTestDatabase } from '../_database.js'
import { act, MINUTE, NOON, openStorage, type StorageFixture } from './_storage.js'

let storage: StorageFixture
let apiKeys: string[]
let thiefDir: string
let openCopy: () => Promise<Database>

const idempotencyKey = randomUUID()
const body = '{"bio":"I keep bees in Lisbon"}'
const answer = '{"openers":[{"text":"How are the bees of Lisbon?"}]}'

beforeEach(async () => {
  storage = await openStorage()
  const { keyId, apiKey } = await storage.issueKey()
  const reference = { organizationId: storage.organizationId, keyId }
  const rotated = await rotateKey(storage, reference, act())
  apiKeys = [apiKey, rotated.apiKey]
  for (const key of apiKeys) await authenticate(storage, `Bearer ${key}`, NOON)
  await answerOneCall()

  thiefDir = path.join(storage.dataDir, 'thief')
  await fs.mkdir(thiefDir)
  for (const file of await databaseFiles()) {
    await fs.copyFile(path.join(storage.dataDir, file), path.join(thiefDir, file))
  }
  // The rows of a stolen PostgreSQL database are those of the database.
  openCopy = () => (isOnPostgres ? openTestDatabase(storage.dataDir) : openDatabase(thiefDir))
})
afterEach(() => storage.remove())

async function answerOneCall(): Promise<void> {
  const clock = () => NOON
  const { organizationId } = storage
  const request = {
    scope: { organizationId, environment: 'live', capability: 'conversation.openers' } as const,
    limits: { hardCap: 1 },
    idempotencyKey,
    bodyDigest: Buffer.from(body),
    deadline: NOON + MINUTE,
    signal: new AbortController().signal,
  }
  const idempotency = createIdempotency({ ...storage, clock })
  await runMetered({ db: storage.db, clock, idempotency }, request, () =>
    Promise.resolve({ answer: { body: answer, headers: {} } }),
  )
}

async function databaseFiles(): Promise<string[]> {
  return (await fs.readdir(storage.dataDir)).filter((file) => file.startsWith('service.db'))
}

async function readFiles(): Promise<string[]> {
  const files = await databaseFiles()
  return Promise.all(files.map((file) => fs.readFile(path.join(storage.dataDir, file), 'latin1')))
}

/** Every value of every table as text. */
async function readRows(): Promise<string[]> {
  const tables = await storage.db.introspection.getTables()
  const contents = []
  for (const { name } of tables) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(storage.db)
    const cells = rows.flatMap((row) => Object.values(row) as unknown[])
    contents.push(
      ...cells.map((cell) => (Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell))),
    )
  }
  return contents
}

describe('a stolen database', () => {
  it('contains no key, idempotency key, body or answer', async () => {
    const stolen = (await (isOnPostgres ? readRows() : readFiles())).join('\n')
    expect(stolen).toContain(storage.organizationId)
    const secrets = [...apiKeys.map((key) => key.slice(8, 24)), idempotencyKey, 'bees', 'Lisbon']
    for (const secret of secrets) expect(stolen).not.toContain(secret)
  })

  it('contains nothing that authenticates, not even on another server', async () => {
    const db = await openCopy()
    try {
      const secret = await openServerSecret(thiefDir)
      await db.deleteFrom('service_metadata').execute()
      await checkServerSecret(db, secret)
      const rows = await db.selectFrom('api_key_secrets').selectAll().execute()
      const attempts = rows.flatMap(({ secret_hash, prefix }) => [
        prefix,
        secret_hash.toString('hex'),
        secret_hash.toString('base64'),
        `sk_test_${secret_hash.toString('hex').slice(0, 38)}`,
      ])
      for (const attempt of [...attempts, ...apiKeys]) {
        const answered = authenticate({ db, secret }, `Bearer ${attempt}`, NOON)
        await expect(answered).rejects.toMatchObject({ code: 'invalid_api_key' })
      }
    } finally {
      await db.destroy()
    }
  })

  it('is refused by a server with another secret', async () => {
    await checkServerSecret(storage.db, storage.secret)
    const other = await openServerSecret(thiefDir)
    await expect(checkServerSecret(storage.db, other)).rejects.toBeInstanceOf(ServerSecretError)
  })
})
