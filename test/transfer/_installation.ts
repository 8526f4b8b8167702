import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { acceptWithNewAccount } from '../../src/accounts/accept-invitation.js'
import { insertIdentity } from '../../src/accounts/account-identity.js'
import { createInvitation, findInvitation } from '../../src/accounts/invitation.js'
import { addPasskey } from '../../src/accounts/passkey.js'
import { createPasswordReset } from '../../src/accounts/password-reset.js'
import { findSession } from '../../src/accounts/session.js'
import { countAttempt } from '../../src/accounts/sign-in-attempts.js'
import type { PostgresSettings } from '../../src/config/postgres-settings.js'
import { openDatabase, type Database } from '../../src/database/open-database.js'
import { changeLearning } from '../../src/learning/change-settings.js'
import { createIdempotency } from '../../src/metering/idempotency.js'
import { readPlans, type Plans } from '../../src/metering/plans.js'
import { reserveQuota } from '../../src/metering/quota.js'
import { createKey } from '../../src/organizations/api-key.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import { checkServerSecret } from '../../src/organizations/check-server-secret.js'
import { createOrganization } from '../../src/organizations/organization.js'
import { openServerSecret, type ServerSecret } from '../../src/organizations/server-secret.js'
import { eraseOrganization } from '../../src/data-rights/erase-organization.js'
import { fillDatabase } from '../../src/tools/demo/history/fill-database.js'
import type { TransferConfig } from '../../src/transfer/check-settings.js'
import {
  transferInstallation,
  type TransferProgress,
} from '../../src/transfer/transfer-installation.js'
import { dropTestDatabase, postgresOf } from '../_database.js'
import { runMetered } from '../metering/_run-metered.js'
import { act, MINUTE, NOON } from '../organizations/_storage.js'

/** What people and partners hold, which must work on both databases. */
export interface Holdings {
  organizationId: string
  apiKey: string
  sessionToken: string
  resetToken: string
  invitationToken: string
  idempotencyKey: string
  accountId: string
}

export interface Installation extends Holdings {
  dataDir: string
  secret: ServerSecret
  plans: Plans
  /** Where the installation moves to. */
  postgres: PostgresSettings
  config: TransferConfig
  transfer: (
    onProgress?: (progress: TransferProgress) => void,
  ) => ReturnType<typeof transferInstallation>
  /** Opens the SQLite database. */
  openSource: () => Promise<Database>
  /** Opens the PostgreSQL database as a server does. */
  openTarget: () => Promise<Database>
  remove: () => Promise<void>
}

interface Template extends Holdings {
  dataDir: string
  secret: ServerSecret
  plans: Plans
}

/** Data folders by the number of events; each test file makes them once and copies them. */
const templates = new Map<number, Promise<Template>>()

export async function removeTemplates(): Promise<void> {
  for (const template of templates.values())
    await fs.rm((await template).dataDir, { recursive: true })
  templates.clear()
}

/** Creates an installation on SQLite that has rows in every table, and an empty PostgreSQL database. */
export async function createInstallation({ eventCount = 2_000 } = {}): Promise<Installation> {
  if (!templates.has(eventCount)) templates.set(eventCount, createTemplate(eventCount))
  const template = await templates.get(eventCount)!
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'transfer-'))
  await fs.cp(template.dataDir, dataDir, { recursive: true })
  const postgres = (await postgresOf(dataDir))!
  const serverSecretFile = path.join(dataDir, 'server-secret')
  const config = { dataDir, postgres, serverSecretFile, plansFile: undefined }
  return {
    ...template,
    dataDir,
    postgres,
    config,
    transfer: (onProgress) => transferInstallation(config, { clock: () => NOON, onProgress }),
    openSource: () => openDatabase(dataDir),
    openTarget: () => openDatabase(dataDir, { postgres }),
    remove: async () => {
      await dropTestDatabase(dataDir)
      await fs.rm(dataDir, { recursive: true })
    },
  }
}

async function createTemplate(eventCount: number): Promise<Template> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'transfer-template-'))
  const db = await openDatabase(dataDir)
  try {
    const secret = await openServerSecret(dataDir)
    const plans = await readPlans({ dataDir, plansFile: undefined })
    await checkServerSecret(db, secret)
    const { organizationId } = await fillDatabase({ db, secret, plans }, { eventCount, now: NOON })
    const holdings = await addPeopleAndCalls({ db, secret, plans, organizationId })
    await eraseAnother({ db, secret, plans, dataDir })
    return { ...holdings, dataDir, secret, plans }
  } finally {
    await db.destroy()
  }
}

interface Parts {
  db: Database
  secret: ServerSecret
  plans: Plans
}

async function addPeopleAndCalls(parts: Parts & { organizationId: string }): Promise<Holdings> {
  const { db, organizationId } = parts
  const key = {
    organizationId,
    name: 'Moved',
    environment: 'live',
    capabilities: CAPABILITIES,
  } as const
  const { apiKey } = await createKey(parts, key, act())
  const invite = { organizationId, role: 'owner', email: 'owner@example.com' } as const
  const { token } = await createInvitation(parts, invite, act())
  const invitation = (await findInvitation(parts, token, NOON))!
  const signIn = {
    signInName: invite.email,
    password: 'a password for the owner',
    device: 'Firefox on Windows',
    now: NOON,
  }
  const joined = await acceptWithNewAccount(parts, invitation, signIn)
  if (joined.kind !== 'accepted') throw new Error('The owner could not join.')
  const { sessionToken } = joined
  const { accountId } = (await findSession(parts, sessionToken, NOON))!
  const { token: resetToken } = await createPasswordReset(parts, accountId, act())
  const other = { organizationId, role: 'viewer', email: 'viewer@example.com' } as const
  const { token: invitationToken } = await createInvitation(parts, other, act())
  await insertIdentity(db, { issuer: 'https://id.example.com', subject: 'ümlaut 🐱' }, accountId)
  const passkey = { id: 'AQID', publicKey: Buffer.from([0, 1, 255]), counter: 7, device: 'Phone' }
  await addPasskey(parts, { accountId, ...passkey }, act())
  await countAttempt(parts, {
    account: accountId,
    address: '192.0.2.1',
    browser: undefined,
    now: NOON,
  })
  const scope = { organizationId, environment: 'live' } as const
  await changeLearning(parts, scope, { controlPercent: 20 }, act())
  await reserveQuota(
    db,
    { ...scope, capability: 'match.evaluate' },
    { hardCap: undefined, now: NOON, deadline: NOON + MINUTE },
  )
  const idempotencyKey = randomUUID()
  await callOnce(parts, { organizationId, idempotencyKey }, 'the first answer')
  return {
    organizationId,
    apiKey,
    sessionToken,
    resetToken,
    invitationToken,
    idempotencyKey,
    accountId,
  }
}

/** Leaves gaps in the ids, and links of the audit chain whose entries are erased. */
async function eraseAnother({ dataDir, ...parts }: Parts & { dataDir: string }): Promise<void> {
  const { id } = await createOrganization(parts, { name: 'Leaving', plan: 'free' }, act())
  await eraseOrganization({ secret: parts.secret, place: { dataDir } }, id, act())
}

/** Makes a call, or repeats it. */
export async function callOnce(
  { db, secret }: Pick<Parts, 'db' | 'secret'>,
  { organizationId, idempotencyKey }: Pick<Holdings, 'organizationId' | 'idempotencyKey'>,
  answer: string,
) {
  const clock = () => NOON
  const idempotency = createIdempotency({ db, secret, clock })
  return runMetered(
    { db, idempotency, clock },
    {
      scope: { organizationId, environment: 'live', capability: 'match.evaluate' },
      limits: { hardCap: undefined },
      idempotencyKey,
      bodyDigest: Buffer.from('body'),
      deadline: NOON + MINUTE,
      signal: new AbortController().signal,
    },
    () => Promise.resolve({ answer: { body: answer, headers: {} } }),
  )
}
