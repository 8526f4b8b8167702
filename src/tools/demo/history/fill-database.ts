import { setImmediate } from 'node:timers/promises'
import type { AppContext } from '../../../context.js'
import type { Database } from '../../../database/open-database.js'
import { markSynthetic } from '../../../database/synthetic-mark.js'
import type { EventRecord } from '../../../events/events-contract.js'
import { recordCall } from '../../../events/record-call.js'
import { storeEvents } from '../../../events/store-events.js'
import { periodOf } from '../../../metering/billing-period.js'
import { createKey } from '../../../organizations/api-key.js'
import { CAPABILITIES } from '../../../organizations/capability.js'
import { createOrganization } from '../../../organizations/organization.js'
import { storeUsage, sweepUsageHours } from '../../../usage/store-usage.js'
import { inventEndUsers } from './invent-end-users.js'
import {
  EVENTS_PER_CALL,
  inventOpeners,
  planRareCalls,
  type InventedCall,
} from './invent-openers.js'
import { inventUsage } from './invent-usage.js'
import { hourFractions, planYear, type DayPlan } from './plan-year.js'
import { createRandomSource, type RandomSource } from './random-source.js'

export const DEFAULT_SEED = 2026
const ORGANIZATION = 'Synthetic data: Meadow Dating'
const GROWTH_PLAN_OPENERS_PER_MONTH = 50_000
/** Larger than the API allows, to store a year in less time. */
const EVENTS_PER_BATCH = 10_000
const EVENTS_PER_PROGRESS_LINE = 1_000_000
const HOUR_MS = 60 * 60 * 1_000

export type FillDeps = Pick<AppContext, 'db' | 'secret' | 'plans'>

export interface FillOptions {
  /** About how many events are stored. */
  eventCount: number
  /** End of the year, in milliseconds since the epoch. */
  now: number
  seed?: number
}

/**
 * Marks the database as synthetic and adds an organisation with a year of requests and events, through the service's own
 * storage code.
 * @returns the number of stored events
 */
export async function fillDatabase(
  deps: FillDeps,
  { eventCount, now, seed = DEFAULT_SEED }: FillOptions,
): Promise<{ events: number; organizationId: string }> {
  const { db } = deps
  await markSynthetic(db)
  const year = planYear(now)
  const callCount = eventCount / EVENTS_PER_CALL
  const organizationId = await addOrganization(deps, year, callCount)
  const random = createRandomSource(seed)
  const history = { organizationId, year, callCount, eventCount, now }
  const events = await storeYear(db, random, history)
  await sweepUsageHours(db, now)
  return { events, organizationId }
}

async function addOrganization(
  deps: FillDeps,
  year: readonly DayPlan[],
  callCount: number,
): Promise<string> {
  const lastMonth = year.slice(-30).reduce((sum, { fraction }) => sum + fraction, 0) * callCount
  const plan = lastMonth > GROWTH_PLAN_OPENERS_PER_MONTH ? 'scale' : 'growth'
  const act = { actor: 'demo', now: year[0]!.startsAt }
  const { id: organizationId } = await createOrganization(deps, { name: ORGANIZATION, plan }, act)
  const keys = [
    { name: 'Backend', environment: 'live' },
    { name: 'Development', environment: 'test' },
  ] as const
  for (const key of keys) {
    await createKey(deps, { organizationId, ...key, capabilities: CAPABILITIES }, act)
  }
  return organizationId
}

interface History {
  organizationId: string
  year: readonly DayPlan[]
  callCount: number
  eventCount: number
  now: number
}

async function storeYear(db: Database, random: RandomSource, history: History): Promise<number> {
  const { organizationId, year, callCount, eventCount, now } = history
  const drawEndUser = inventEndUsers(random, year, eventCount)
  const drawTimeOfDay = createTimeSource(random)
  const rareCalls = planRareCalls(year.length)
  const charges = new Charges(organizationId)
  let stored = 0
  let reported = 0
  for (const [index, { startsAt, fraction }] of year.entries()) {
    const openersCalls = random.around(callCount * fraction)
    const { calls, events } = inventOpeners(random, {
      startsAt,
      index,
      calls: openersCalls,
      now,
      rareCalls: rareCalls[index]!,
      drawEndUser,
      drawTimeOfDay,
    })
    await storeCalls(db, organizationId, calls)
    stored += await storeDayEvents(db, { organizationId, events, now })
    for (const environment of ['live', 'test'] as const) {
      const day = { organizationId, environment, startsAt, now, openersCalls }
      const { counts, charged } = inventUsage(random, day)
      await storeUsage(db, counts)
      for (const [capability, requests] of charged) {
        charges.add({ environment, capability, period: periodOf(startsAt) }, requests)
      }
    }
    // The database answers synchronously, so without a macrotask no signal would be handled.
    await setImmediate()
    if (stored - reported >= EVENTS_PER_PROGRESS_LINE) {
      reported = stored
      console.error(`${stored.toLocaleString('en')} events`)
    }
  }
  await charges.store(db)
  return stored
}

async function storeCalls(
  db: Database,
  organizationId: string,
  calls: readonly InventedCall[],
): Promise<void> {
  const capability = 'conversation.openers'
  await db.transaction().execute(async (transaction) => {
    for (const call of calls) {
      await recordCall(transaction, { organizationId, environment: 'live', capability, ...call })
    }
  })
}

/** Returns the number of events that were new. */
async function storeDayEvents(
  db: Database,
  { organizationId, events, now }: { organizationId: string; events: EventRecord[]; now: number },
): Promise<number> {
  const scope = { organizationId, environment: 'live' } as const
  let stored = 0
  for (let start = 0; start < events.length; start += EVENTS_PER_BATCH) {
    const records = events.slice(start, start + EVENTS_PER_BATCH)
    stored += (await storeEvents(db, { scope, records }, now)).accepted
  }
  return stored
}

interface ChargedScope {
  environment: string
  capability: string
  period: string
}

/** Sums the charged requests of each month. */
class Charges {
  readonly #organizationId: string
  readonly #byScope = new Map<string, ChargedScope & { used: number }>()

  constructor(organizationId: string) {
    this.#organizationId = organizationId
  }

  add(scope: ChargedScope, requests: number): void {
    const key = JSON.stringify(scope)
    const charge = this.#byScope.get(key)
    if (charge) charge.used += requests
    else this.#byScope.set(key, { ...scope, used: requests })
  }

  async store(db: Database): Promise<void> {
    const charges = [...this.#byScope.values()]
    const rows = charges.map(({ used, ...scope }) => ({
      organization_id: this.#organizationId,
      ...scope,
      admitted: used,
    }))
    await db.insertInto('quota_usage').values(rows).execute()
  }
}

/** Draws milliseconds since the start of a day, distributed as people write. */
function createTimeSource(random: RandomSource): () => number {
  const fractions = hourFractions()
  return () => {
    let remaining = random.uniform()
    const hour = fractions.findIndex((fraction) => (remaining -= fraction) < 0)
    return (Math.max(0, hour) + random.uniform()) * HOUR_MS
  }
}
