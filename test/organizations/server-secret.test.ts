import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { checkServerSecret, openSecretOf } from '../../src/organizations/check-server-secret.js'
import {
  openServerSecret,
  readGivenSecret,
  ServerSecret,
  ServerSecretError,
} from '../../src/organizations/server-secret.js'
import { openStorage } from './_storage.js'

let dataDir: string
let file: string

beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'secret-'))
  file = path.join(dataDir, 'server-secret')
})
afterEach(() => fs.rm(dataDir, { recursive: true }))

describe('the server secret', () => {
  it('is created with 32 bytes, readable only by its owner', async () => {
    await openServerSecret(dataDir)
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600)
    expect((await fs.readFile(file)).length).toBe(32)
    expect(await fs.readdir(dataDir)).toEqual(['server-secret'])
  })

  it('is the same after a restart, but differs between data folders', async () => {
    const first = (await openServerSecret(dataDir)).subkey('api-key')
    const second = (await openServerSecret(dataDir)).subkey('api-key')
    const other = (await openServerSecret(path.join(dataDir, 'other'))).subkey('api-key')
    expect(second.equals(first)).toBe(true)
    expect(other.equals(first)).toBe(false)
  })

  it('is created only once by concurrent starts', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => openServerSecret(dataDir)))
    const keys = new Set(secrets.map((secret) => secret.subkey('api-key').toString('hex')))
    expect(keys.size).toBe(1)
    expect(await fs.readdir(dataDir)).toEqual(['server-secret'])
  })

  it('derives subkeys that differ by purpose and from the secret', () => {
    const bytes = Buffer.alloc(32, 5)
    const secret = new ServerSecret(bytes)
    const key = secret.subkey('api-key')
    expect(key.length).toBe(32)
    expect(key.equals(secret.subkey('idempotency-answer'))).toBe(false)
    expect(key.equals(bytes)).toBe(false)
  })

  it('is not shown when printed', () => {
    const secret = new ServerSecret(Buffer.from('0123456789abcdef0123456789abcdef'))
    secret.subkey('api-key')
    const printed = inspect(secret, { depth: 9, showHidden: true }) + JSON.stringify(secret)
    expect(printed).not.toMatch(/0123|30 31 32|48,49/)
  })

  it.each([0o604, 0o602, 0o666])('is refused with mode %o', async (mode) => {
    await openServerSecret(dataDir)
    await fs.chmod(file, mode)
    await expect(openServerSecret(dataDir)).rejects.toBeInstanceOf(ServerSecretError)
  })

  it('is refused if it was truncated', async () => {
    await fs.writeFile(file, Buffer.alloc(31), { mode: 0o600 })
    await expect(openServerSecret(dataDir)).rejects.toBeInstanceOf(ServerSecretError)
  })
})

describe('a server secret that the operator gives', () => {
  it('is read, on SQLite too, and never created', async () => {
    const given = path.join(dataDir, 'given')
    await fs.writeFile(given, Buffer.alloc(32, 7), { mode: 0o600 })
    const storage = await openStorage()
    try {
      const place = { dataDir: path.join(dataDir, 'data'), serverSecretFile: given }
      const secret = await openSecretOf(storage.db, place)
      const key = new ServerSecret(Buffer.alloc(32, 7)).subkey('api-key')
      expect(secret.subkey('api-key').equals(key)).toBe(true)
      await fs.rm(given)
      await expect(openSecretOf(storage.db, place)).rejects.toBeInstanceOf(ServerSecretError)
      expect(await fs.readdir(dataDir)).toEqual([])
    } finally {
      await storage.remove()
    }
  })

  it.each([
    ['missing', async () => {}, 'head -c 32 /dev/urandom'],
    ['too short', (given: string) => fs.writeFile(given, 'x', { mode: 0o600 }), '32 bytes'],
    [
      'open to others',
      (given: string) => fs.writeFile(given, Buffer.alloc(32), { mode: 0o644 }),
      'chmod 600',
    ],
  ])('is refused when it is %s, with what to do', async (_what, write, advice) => {
    const given = path.join(dataDir, 'given')
    await write(given)
    await expect(readGivenSecret(given)).rejects.toThrow(advice)
  })

  it('must be given where replicas share a database', async () => {
    await expect(readGivenSecret(undefined)).rejects.toThrow('SERVER_SECRET_FILE')
  })
})

describe('checkServerSecret', () => {
  it('accepts the first secret of a database and refuses any other', async () => {
    const storage = await openStorage()
    try {
      await checkServerSecret(storage.db, storage.secret)
      await checkServerSecret(storage.db, storage.secret)
      const other = new ServerSecret(Buffer.alloc(32, 7))
      await expect(checkServerSecret(storage.db, other)).rejects.toBeInstanceOf(ServerSecretError)
    } finally {
      await storage.remove()
    }
  })
})
