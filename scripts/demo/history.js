import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import BetterSqlite3 from 'better-sqlite3'
import { databaseFile, openDatabase } from '../../dist/database/open-database.js'
import { lockDataFolder } from '../../dist/database/lock-data-folder.js'
import { insertCall } from '../../dist/events/record-call.js'
import { storeEvents } from '../../dist/events/store-events.js'
import { createKey } from '../../dist/organizations/api-key.js'
import { CAPABILITIES } from '../../dist/organizations/capability.js'
import { createOrganization } from '../../dist/organizations/organization.js'
import { readPlans } from '../../dist/metering/plans.js'
import { checkServerSecret } from '../../dist/organizations/check-server-secret.js'
import { openServerSecret } from '../../dist/organizations/server-secret.js'
import { acceptByPassword } from '../../dist/accounts/accept-invitation.js'
import { createInvitation, findInvitation } from '../../dist/accounts/invitation.js'
import { markSynthetic, SYNTHETIC_MARK } from '../../dist/database/synthetic-mark.js'
import { storeUsage, sweepUsageHours } from '../../dist/usage/store-usage.js'
import { projectDir } from '../prepare.js'
import { inventEndUsers } from './history/end-users.js'
import { EVENTS_PER_CALL, inventOpeners, planRareCalls } from './history/openers.js'
import { createRandom } from './history/random.js'
import { inventUsage } from './history/usage.js'
import { hourShares, planYear } from './history/year.js'

const DEFAULT_EVENTS = 250_000
const SEED = 2026
const HOUR_MS = 60 * 60 * 1_000
const GROWTH_PLAN_OPENERS_A_MONTH = 50_000
const ORGANIZATION = 'Synthetic data: Meadow Dating'
const EMAIL = 'owner@example.com'

/**
 * Fills a database of its own with an invented year of one partner, through the service's own storage code.
 *
 * Usage: npm run demo -- --history [--events N] [--data-dir FOLDER] [--seed N]
 * @param {string[]} args
 */
export async function fillHistory(args) {
  const { values } = parseArgs({
    args,
    options: {
      history: { type: 'boolean' },
      events: { type: 'string', default: String(DEFAULT_EVENTS) },
      'data-dir': { type: 'string', default: path.join(projectDir, '.cache', 'demo-history') },
      seed: { type: 'string', default: String(SEED) },
    },
  })
  const eventCount = Number(values.events)
  if (!Number.isInteger(eventCount) || eventCount < 1_000 || eventCount > 20_000_000) {
    throw new Error('--events must be a whole number from 1000 to 20000000.')
  }
  const dataDir = path.resolve(values['data-dir'])
  await emptyFolder(dataDir)
  const startedAt = performance.now()
  const { events, password } = await fill(dataDir, eventCount, Number(values.seed))
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  const relative = path.relative(process.cwd(), dataDir)
  const shown = relative.startsWith('..') ? dataDir : relative || '.'
  console.log(`
${events.toLocaleString('en')} invented events of a year are in ${shown} (${seconds} s).

Open the portal on it:
  DATA_DIR=${shown} PORT=8090 npm start
  http://127.0.0.1:8090/portal
  ${EMAIL}
  ${password}
`)
}

/** Looks without touching: opening it as the service does would migrate it. */
function isSyntheticDatabase(/** @type {string} */ file) {
  const sqlite = new BetterSqlite3(file, { readonly: true })
  try {
    const mark = `select 1 from service_metadata where name = '${SYNTHETIC_MARK}'`
    return sqlite.prepare(mark).get() !== undefined
  } catch {
    return false
  } finally {
    sqlite.close()
  }
}

/** A folder that holds anything but an earlier history is left alone. */
async function emptyFolder(/** @type {string} */ dataDir) {
  if (!existsSync(dataDir)) return
  if (!existsSync(databaseFile(dataDir))) {
    throw new Error(
      `${dataDir} is there and holds no synthetic database. Name another folder with --data-dir.`,
    )
  }
  if (!isSyntheticDatabase(databaseFile(dataDir))) {
    throw new Error(`${dataDir} holds a real database. Name another folder with --data-dir.`)
  }
  // A server that shows it must not have it taken away.
  const unlock = await lockDataFolder(dataDir)
  unlock()
  await rm(dataDir, { recursive: true })
}

/**
 * @param {string} dataDir
 * @param {number} eventCount
 * @param {number} seed
 */
async function fill(dataDir, eventCount, seed) {
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

/**
 * Marks the database as synthetic and adds an organisation with a year of requests and events.
 * @param {Pick<import('../../dist/context.js').AppContext, 'db' | 'secret' | 'plans'>} deps
 * @param {{ eventCount: number, now: number, seed?: number }} options
 */
export async function fillDatabase(deps, { eventCount, now, seed = SEED }) {
  const { db } = deps
  const random = createRandom(seed)
  await markSynthetic(db)
  const year = planYear(now)
  const callCount = eventCount / EVENTS_PER_CALL
  const lastMonth = year.slice(-30).reduce((sum, { share }) => sum + share, 0) * callCount
  const plan = lastMonth > GROWTH_PLAN_OPENERS_A_MONTH ? 'scale' : 'growth'
  const act = { actor: 'demo', now: year[0]?.startsAt ?? now }
  const { id: organizationId } = await createOrganization(deps, { name: ORGANIZATION, plan }, act)
  for (const environment of /** @type {const} */ (['live', 'test'])) {
    const name = environment === 'live' ? 'Backend' : 'Development'
    await createKey(deps, { organizationId, name, environment, capabilities: CAPABILITIES }, act)
  }
  const events = await storeYear(db, { organizationId, year, callCount, eventCount, now, random })
  await sweepUsageHours(db, now)
  return { events, organizationId }
}

/**
 * @param {any} deps
 * @param {string} organizationId
 * @param {number} now
 */
async function createOwner(deps, organizationId, now) {
  const act = { actor: 'demo', now }
  const { token } = await createInvitation(
    deps,
    { organizationId, role: 'owner', email: EMAIL },
    act,
  )
  const invitation = await findInvitation(deps, token, now)
  if (!invitation) throw new Error('The invitation is gone.')
  const password = randomBytes(10).toString('hex')
  const signIn = { email: EMAIL, password, address: '127.0.0.1', device: 'Demo', now }
  const outcome = await acceptByPassword(deps, invitation, signIn)
  if (outcome.kind !== 'accepted') throw new Error('The owner could not be created.')
  return password
}

/**
 * @param {import('../../dist/database/open-database.js').Database} db
 * @param {{ organizationId: string, year: import('./history/year.js').DayPlan[], callCount: number, eventCount: number, now: number, random: import('./history/random.js').Random }} plan
 */
async function storeYear(db, { organizationId, year, callCount, eventCount, now, random }) {
  const { someone } = inventEndUsers(random, year, eventCount)
  const timeOfDay = drawTimes(random)
  const rareCalls = planRareCalls(year.length)
  const scope = { organizationId, environment: /** @type {const} */ ('live') }
  /** @type {Map<string, number>} */
  const charged = new Map()
  let stored = 0
  let told = 0
  for (const [index, { startsAt, share }] of year.entries()) {
    const calls = random.around(callCount * share)
    const day = { startsAt, calls, now, rareCalls: rareCalls[index] ?? 0, someone, timeOfDay }
    const { written, events } = inventOpeners(random, day)
    await db.transaction().execute(async (transaction) => {
      for (const call of written) {
        await insertCall(transaction, { ...scope, ...call, capability: 'conversation.openers' })
      }
    })
    for (let start = 0; start < events.length; start += 10_000) {
      const records = events.slice(start, start + 10_000)
      stored += (await storeEvents(db, { scope, records }, now)).accepted
    }
    for (const environment of /** @type {const} */ (['live', 'test'])) {
      const usage = inventUsage(random, {
        organizationId,
        environment,
        startsAt,
        now,
        openerCalls: calls,
      })
      await storeUsage(db, usage.counts)
      const period = new Date(startsAt).toISOString().slice(0, 7)
      for (const [capability, count] of Object.entries(usage.charged)) {
        const key = [environment, capability, period].join(' ')
        charged.set(key, (charged.get(key) ?? 0) + count)
      }
    }
    // The database answers at once and so never lets a signal through.
    await setImmediate()
    if (stored - told >= 1_000_000) {
      told = stored
      console.error(`${stored.toLocaleString('en')} events`)
    }
  }
  const rows = [...charged].map(([key, used]) => {
    const [environment = '', capability = '', period = ''] = key.split(' ')
    return { organization_id: organizationId, environment, capability, period, used }
  })
  await db.insertInto('quota_usage').values(rows).execute()
  return stored
}

/** Draws times of a day, in milliseconds after its start, as often as people are up. */
function drawTimes(/** @type {import('./history/random.js').Random} */ random) {
  const shares = hourShares()
  return () => {
    let left = random.uniform()
    const hour = shares.findIndex((share) => (left -= share) < 0)
    return (Math.max(0, hour) + random.uniform()) * HOUR_MS
  }
}
