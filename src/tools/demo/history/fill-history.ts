import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import BetterSqlite3 from 'better-sqlite3'
import { acceptWithNewAccount } from '../../../accounts/accept-invitation.js'
import type { AccountDeps } from '../../../accounts/account-deps.js'
import { createInvitation, findInvitation } from '../../../accounts/invitation.js'
import { lockDataFolder } from '../../../database/lock-data-folder.js'
import { databaseFile, openDatabase } from '../../../database/open-database.js'
import { SYNTHETIC_MARK } from '../../../database/synthetic-mark.js'
import { readPlans } from '../../../metering/plans.js'
import { checkServerSecret } from '../../../organizations/check-server-secret.js'
import { openServerSecret } from '../../../organizations/server-secret.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { DEFAULT_SEED, fillDatabase } from './fill-database.js'

const DEFAULT_EVENTS = 250_000
const MIN_EVENTS = 1_000
const MAX_EVENTS = 20_000_000
const EMAIL = 'owner@example.com'

/**
 * Fills a new database with an invented year of one partner, and prints how to open the portal on it.
 *
 * Usage: npm run demo -- --history [--events N] [--data-dir FOLDER] [--seed N]
 * @throws when the options are invalid, or the folder contains anything but an earlier history
 */
export async function fillHistory(args: readonly string[]): Promise<void> {
  const { dataDir, eventCount, seed } = parseOptions(args)
  await deleteEarlierHistory(dataDir)
  const startedAt = performance.now()
  const { events, password } = await createHistory(dataDir, eventCount, seed)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  const folder = abbreviatePath(dataDir)
  console.log(`
${events.toLocaleString('en')} invented events of a year are in ${folder} (${seconds} s).

Open the portal on it:
  DATA_DIR=${folder} PORT=8090 npm start
  http://127.0.0.1:8090/portal
  ${EMAIL}
  ${password}
`)
}

function parseOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      history: { type: 'boolean' },
      events: { type: 'string', default: String(DEFAULT_EVENTS) },
      'data-dir': {
        type: 'string',
        default: path.join(PROJECT_FOLDER, '.cache', 'demo-history'),
      },
      seed: { type: 'string', default: String(DEFAULT_SEED) },
    },
  })
  const eventCount = Number(values.events)
  if (!Number.isInteger(eventCount) || eventCount < MIN_EVENTS || eventCount > MAX_EVENTS) {
    throw new Error(`--events must be a whole number from ${MIN_EVENTS} to ${MAX_EVENTS}.`)
  }
  return { dataDir: path.resolve(values['data-dir']), eventCount, seed: Number(values.seed) }
}

function abbreviatePath(folder: string): string {
  const relative = path.relative(process.cwd(), folder)
  return relative.startsWith('..') ? folder : relative || '.'
}

/** @throws when the folder contains anything else, or a server uses it */
async function deleteEarlierHistory(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  if (!existsSync(databaseFile(dataDir))) {
    throw new Error(
      `${dataDir} exists and holds no synthetic database. Name another folder with --data-dir.`,
    )
  }
  if (!isSyntheticDatabase(databaseFile(dataDir))) {
    throw new Error(`${dataDir} holds a real database. Name another folder with --data-dir.`)
  }
  const unlock = await lockDataFolder(dataDir)
  unlock()
  await rm(dataDir, { recursive: true })
}

/** Reads the mark without opening the database as the service does, which would migrate it. */
function isSyntheticDatabase(file: string): boolean {
  const sqlite = new BetterSqlite3(file, { readonly: true })
  try {
    const select = sqlite.prepare('select 1 from service_metadata where name = ?')
    return select.get(SYNTHETIC_MARK) !== undefined
  } catch {
    return false
  } finally {
    sqlite.close()
  }
}

async function createHistory(
  dataDir: string,
  eventCount: number,
  seed: number,
): Promise<{ events: number; password: string }> {
  const now = Date.now()
  const db = await openDatabase(dataDir)
  try {
    const secret = await openServerSecret(dataDir)
    await checkServerSecret(db, secret)
    const plans = await readPlans({ dataDir, plansFile: undefined })
    const deps = { db, secret, plans }
    const { events, organizationId } = await fillDatabase(deps, { eventCount, now, seed })
    return { events, password: await createOwner(deps, organizationId, now) }
  } finally {
    await db.destroy()
  }
}

/** Creates an owner who can sign in to the portal. Returns the password. */
async function createOwner(
  deps: AccountDeps,
  organizationId: string,
  now: number,
): Promise<string> {
  const invite = { organizationId, role: 'owner', email: EMAIL } as const
  const { token } = await createInvitation(deps, invite, { actor: 'demo', now })
  const invitation = await findInvitation(deps, token, now)
  const password = randomBytes(10).toString('hex')
  const signIn = { signInName: EMAIL, password, device: 'Demo', now }
  const outcome = invitation && (await acceptWithNewAccount(deps, invitation, signIn))
  if (outcome?.kind !== 'accepted') throw new Error('The owner could not be created.')
  return password
}
