import { spawnSync } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { CommanderError } from 'commander'
import { adminCommand } from '../../src/cli/admin-command.js'
import { readConfig } from '../../src/config/config.js'
import { OperatorError } from '../../src/core/operator-error.js'
import { authenticate } from '../../src/organizations/authenticate.js'
import { openServerSecret } from '../../src/organizations/server-secret.js'
import { databaseEnvironment, dropTestDatabase, openTestDatabase } from '../_database.js'

let dataDir: string
/** Empty: none is configured. */
let plansFile: string

beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'admin-'))
  plansFile = ''
})
afterEach(async () => {
  await dropTestDatabase(dataDir)
  await fs.rm(dataDir, { recursive: true })
})

async function admin(...args: string[]) {
  const printed = { out: '', error: '' }
  const database = await databaseEnvironment(dataDir)
  const env = { ENV_FILE: '', DATA_DIR: dataDir, PLANS_FILE: plansFile, ...database }
  const command = adminCommand(readConfig(env), {
    out: (text) => void (printed.out += text),
    error: (text) => void (printed.error += text),
  })
  await command.parseAsync(args, { from: 'user' })
  return printed
}

async function adminJson<T = Record<string, string>>(...args: string[]): Promise<T> {
  return JSON.parse((await admin(...args, '--json')).out) as T
}

describe('the admin command', () => {
  it('creates an organisation and a key that the server accepts', async () => {
    const { organization_id } = await adminJson('org', 'create', 'Acme Dating', '--plan', 'growth')
    const { key_id, api_key } = await adminJson(
      'key',
      'create',
      'Acme Dating',
      '--env=live',
      '--name=Feed',
      '--capabilities=match.evaluate,events',
      '--expires-in-days=30',
    )
    const db = await openTestDatabase(dataDir)
    try {
      const secret = await openServerSecret(dataDir)
      expect(await authenticate({ db, secret }, `Bearer ${api_key}`, Date.now())).toEqual({
        organizationId: organization_id,
        plan: 'growth',
        environment: 'live',
        keyId: key_id,
        capabilities: ['match.evaluate', 'events'],
      })
    } finally {
      await db.destroy()
    }
  })

  it('changes keys of a running server, effective from its next request', async () => {
    await admin('org', 'create', 'Acme')
    const { key_id = '', api_key: first } = await adminJson('key', 'create', 'Acme')
    const db = await openTestDatabase(dataDir)
    const secret = await openServerSecret(dataDir)
    const answer = (apiKey: string | undefined) =>
      authenticate({ db, secret }, `Bearer ${apiKey}`, Date.now()).then(
        () => 'accepted',
        (error: { code: string }) => error.code,
      )
    try {
      expect(await answer(first)).toBe('accepted')
      const { api_key: second } = await adminJson('key', 'rotate', key_id)
      expect([await answer(first), await answer(second)]).toEqual(['accepted', 'accepted'])
      await admin('key', 'end-grace', key_id)
      expect([await answer(first), await answer(second)]).toEqual(['api_key_expired', 'accepted'])
      await admin('key', 'revoke', key_id)
      expect(await answer(second)).toBe('invalid_api_key')
    } finally {
      await db.destroy()
    }
  })

  it('prints tables, or the same fields as JSON', async () => {
    await admin('org', 'create', 'Acme')
    const { api_key = '' } = await adminJson('key', 'create', 'Acme')
    const { out } = await admin('key', 'list')
    expect(out).toContain(api_key.slice(0, 12))
    expect(out).not.toContain(api_key.slice(0, 16))
    expect(await adminJson('key', 'list', 'Acme')).toEqual([
      expect.objectContaining({
        prefix: api_key.slice(0, 12),
        status: 'active',
        last_used_at: null,
      }),
    ])
    expect(await adminJson('org', 'list')).toEqual([
      expect.objectContaining({ name: 'Acme', plan: 'free' }),
    ])
    expect((await admin('plan', 'list')).out).toContain('conversation.openers')
  })

  it('records who changed what', async () => {
    await admin('org', 'create', 'Acme')
    await admin('org', 'create', 'Other')
    await admin('plan', 'set', 'Acme', 'scale')
    const [newest, ...older] = await adminJson<Record<string, string>[]>('audit', 'list')
    expect(newest).toMatchObject({
      action: 'organization.plan_changed',
      actor: expect.stringMatching(/^cli:./),
      details: JSON.stringify({ from: 'free', to: 'scale' }),
    })
    expect(older).toHaveLength(2)
    expect(await adminJson('audit', 'list', '--org', 'Other')).toHaveLength(1)
    expect(await adminJson('audit', 'list', '--limit', '1')).toHaveLength(1)
  })

  it.each([
    ['an unknown organisation', ['key', 'create', 'Nobody']],
    ['an unknown key', ['key', 'rotate', 'key_none']],
    ['an unknown plan', ['org', 'create', 'Acme', '--plan', 'platinum']],
  ])('refuses %s', async (_what, args) => {
    await expect(admin(...args)).rejects.toBeInstanceOf(OperatorError)
  })

  it('refuses to work with a broken plans file', async () => {
    const file = path.join(dataDir, 'plans.json')
    await fs.writeFile(file, '{"plans":{}')
    plansFile = file
    await expect(admin('org', 'list')).rejects.toBeInstanceOf(OperatorError)
  })

  it.each([
    ['no command', []],
    ['an unknown command', ['key', 'steal']],
    ['a missing argument', ['key', 'rotate']],
    ['an unknown environment', ['key', 'create', 'Acme', '--env', 'staging']],
    ['an unknown capability', ['key', 'create', 'Acme', '--capabilities', 'events,root']],
    ['a number that is none', ['audit', 'list', '--limit', 'many']],
  ])('refuses %s as wrong usage', async (_what, args) => {
    await expect(admin(...args)).rejects.toBeInstanceOf(CommanderError)
  })
})

describe('the program', () => {
  it('exits with 0, with 1 if a command is refused, and with 2 for wrong usage', async () => {
    const env = { ...process.env, DATA_DIR: dataDir, ...(await databaseEnvironment(dataDir)) }
    const exitCode = (...args: string[]) =>
      spawnSync(process.execPath, ['dist/main.js', 'admin', ...args], {
        env,
      }).status
    expect(exitCode('org', 'create', 'Acme')).toBe(0)
    expect(exitCode('org', 'create', 'Acme')).toBe(1)
    expect(exitCode('org', 'destroy', 'Acme')).toBe(2)
  })
})
