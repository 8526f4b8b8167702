import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { adminCommand } from '../../src/cli/admin-command.js'
import { readConfig } from '../../src/config/config.js'
import { openServerSecret } from '../../src/organizations/server-secret.js'
import { acceptWithNewAccount } from '../../src/accounts/accept-invitation.js'
import { findInvitation } from '../../src/accounts/invitation.js'
import { findPasswordReset } from '../../src/accounts/password-reset.js'
import { databaseEnvironment, dropTestDatabase, openTestDatabase } from '../_database.js'

let dataDir: string

beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'account-command-'))
  await admin('org', 'create', 'Acme')
})
afterEach(async () => {
  await dropTestDatabase(dataDir)
  await fs.rm(dataDir, { recursive: true })
})

async function admin(...args: string[]): Promise<string> {
  let printed = ''
  const config = readConfig({
    DATA_DIR: dataDir,
    PUBLIC_URL: 'https://portal.example',
    ...(await databaseEnvironment(dataDir)),
  })
  const command = adminCommand(config, { out: (text) => void (printed += text), error: () => {} })
  await command.parseAsync(args, { from: 'user' })
  return printed
}

async function printLink(...args: string[]): Promise<string> {
  const { link } = JSON.parse(await admin(...args, '--json')) as { link: string }
  return link
}

/** Runs `work` on the database and server secret. */
async function withStorage<T>(
  work: (storage: Awaited<ReturnType<typeof openStorage>>) => Promise<T>,
): Promise<T> {
  const storage = await openStorage()
  try {
    return await work(storage)
  } finally {
    await storage.db.destroy()
  }
}

async function openStorage() {
  return { db: await openTestDatabase(dataDir), secret: await openServerSecret(dataDir) }
}

async function join(link: string, signInName: string): Promise<void> {
  await withStorage(async (storage) => {
    const now = Date.now()
    const invitation = (await findInvitation(storage, link.split('#').at(-1)!, now))!
    const signIn = { signInName, password: 'green stapler on mars', device: '', now }
    expect((await acceptWithNewAccount(storage, invitation, signIn)).kind).toBe('accepted')
  })
}

const invite = (role: string, email: string) =>
  printLink('account', 'invite', '--organization=Acme', `--role=${role}`, `--email=${email}`)

describe('admin account', () => {
  it('prints an invitation link with the public URL', async () => {
    const link = await invite('owner', 'ada@example.com')
    expect(link).toMatch(/^https:\/\/portal\.example\/portal\/invitation#[\w-]{43}$/)
    await join(link, 'ada@example.com')
    const [member] = JSON.parse(await admin('account', 'list', 'Acme', '--json')) as unknown[]
    expect(member).toMatchObject({ email: 'ada@example.com', role: 'owner' })
  })

  it('changes roles and removes members, but not the last owner', async () => {
    await join(await invite('owner', 'ada@example.com'), 'ada@example.com')
    await join(await invite('viewer', 'grace@example.com'), 'grace@example.com')
    await admin('account', 'role', 'grace@example.com', '--organization=Acme', '--role=developer')
    expect(await admin('account', 'list', 'Acme')).toContain('developer')
    await admin('account', 'remove', 'grace@example.com', '--organization=Acme')
    expect(await admin('account', 'list', 'Acme')).not.toContain('grace@example.com')
    await expect(
      admin('account', 'remove', 'ada@example.com', '--organization=Acme'),
    ).rejects.toMatchObject({ code: 'not_possible' })
  })

  it('prints a password reset link', async () => {
    await join(await invite('owner', 'ada@example.com'), 'ada@example.com')
    const link = await printLink('account', 'reset', 'Ada@Example.com')
    const reset = await withStorage((storage) =>
      findPasswordReset(storage, link.split('#').at(-1)!, Date.now()),
    )
    expect(reset?.signInName).toBe('ada@example.com')
  })

  it('keeps e-mail addresses out of the audit log', async () => {
    await join(await invite('owner', 'ada@example.com'), 'ada@example.com')
    await printLink('account', 'reset', 'ada@example.com')
    const log = await admin('audit', 'list')
    expect(log).toContain('account.password_reset_issued')
    expect(log).not.toContain('@example.com')
  })

  it.each([
    ['an unknown organisation', ['invite', '--organization=Nobody', '--role=owner'], 'not_found'],
    ['no address', ['invite', '--organization=Acme', '--role=owner', '--email=x'], 'invalid'],
    ['an unknown account', ['reset', 'nobody@example.com'], 'not_found'],
  ])('refuses %s', async (_what, args, code) => {
    await expect(admin('account', ...args)).rejects.toMatchObject({ code })
  })
})
