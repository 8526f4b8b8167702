import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../../../core/seeded-random.js'
import type { FaultEnvironment } from '../../environment/fault-environment.js'
import { Expectations } from '../../expectations.js'
import type { OutcomeRow, Scenario } from '../../scenario.js'
import { startLoadBalancer } from '../environment/load-balancer.js'
import { PostgresServer } from '../environment/postgres-server.js'
import { ReplicaFleet } from '../environment/replica-fleet.js'
import { createKeyedCalls, type KeyedCall } from '../partners/keyed-call.js'
import { PartnerBackend } from '../partners/partner-backend.js'
import { injectFaults, type Injected } from './kills-and-restarts.js'
import { describeBooks, expectExactBooks, readBooks, type Books } from './quota-books.js'

/** So that leases of killed replicas lapse soon: 10 s later. */
const REQUEST_TIMEOUT_MS = 4_000
const AT_ONCE = 48
const SETTLE_LIMIT_MS = 90_000
/** Sent again once the cap is reached: none of them may be admitted. */
const BEYOND_CAP = 50

interface Size {
  cap: number
  calls: number
  /** Calls a second until the cap is nearly certainly reached, so that faults fall into that time; afterwards as fast as possible. */
  perSecond: number
}

const FULL: Size = { cap: 1_000, calls: 5_000, perSecond: 60 }
const SHORT: Size = { cap: 150, calls: 500, perSecond: 25 }

export const quotaUnderKills: Scenario = {
  name: 'quota-under-kills',
  isInSelection: true,
  run: async (environment) => {
    const { runs, isShort, seed } = environment.settings
    const postgres = await PostgresServer.start(environment)
    const rows: OutcomeRow[] = []
    for (let run = 0; run < (isShort ? 1 : runs); run++) {
      rows.push(
        await runOnce(environment, postgres, { seed: seed + run, ...(isShort ? SHORT : FULL) }),
      )
    }
    return rows
  },
}

async function runOnce(
  environment: FaultEnvironment,
  postgres: PostgresServer,
  { seed, cap, calls: count, perSecond }: Size & { seed: number },
): Promise<OutcomeRow> {
  const limits = { included: cap, soft_cap: cap, hard_cap: cap, requests_per_minute: 100_000 }
  const env = { REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS) }
  const fleet = await ReplicaFleet.create(environment, postgres, { count: 3, limits, env })
  await fleet.start()
  const baseUrl = await startLoadBalancer(environment, fleet.replicas)
  const partner = new PartnerBackend({ baseUrl, apiKey: fleet.apiKey })
  const calls = createKeyedCalls(count, seededRandom(seed))
  const paced = 1.5 * cap
  const dueMs = (index: number) => (Math.min(index, paced) * 1_000) / perSecond

  const faults = injectFaults(fleet, {
    random: seededRandom(-seed),
    withinMs: (cap * 1_000) / perSecond,
  })
  await partner.sendAll(calls, { atOnce: AT_ONCE, dueMs })
  const injected = await faults.stop()
  const tries = partner.describeTries()
  const answeredUnderFaults = countAnswered(calls)
  await settle(partner, calls)
  const admittedLater = await useUp(fleet, partner, { calls, cap })

  const books = await readBooks(fleet, partner, calls)
  const check = new Expectations()
  expectExactBooks(check, books, cap)
  const row = describeRun({ seed, size: { cap, calls: count }, injected, tries, books })
  await fleet.end()
  return {
    ...row,
    recovery: `${answeredUnderFaults} keys answered meanwhile; with the leases of killed replicas returned, ${admittedLater} refused keys were admitted: ${books.answered} keys with 200 in all`,
    deviations: check.deviations,
  }
}

/** Sends again what has no outcome, as a partner does who must know. */
async function settle(partner: PartnerBackend, calls: readonly KeyedCall[]): Promise<void> {
  const giveUpAt = performance.now() + SETTLE_LIMIT_MS
  const open = () => calls.filter(({ outcome }) => outcome === undefined)
  while (open().length > 0 && performance.now() < giveUpAt) {
    await partner.sendAll(open(), { atOnce: AT_ONCE })
  }
}

/**
 * Waits until the leases of killed replicas have lapsed, and sends refused calls again until the cap is reached, and some more.
 * @returns how many of them were admitted
 */
async function useUp(
  fleet: ReplicaFleet,
  partner: PartnerBackend,
  { calls, cap }: { calls: readonly KeyedCall[]; cap: number },
): Promise<number> {
  const { wait_ms: waitMs } = await fleet.queryOne<{ wait_ms: number }>(`
    select cast(coalesce(max(deadline) - 1000 * extract(epoch from clock_timestamp()), 0) as float8) as wait_ms
    from quota_leases`)
  if (waitMs > 0) await sleep(waitMs + 100)
  const before = countAnswered(calls)
  const refused = calls.filter(({ outcome }) => outcome === 'refused')
  const again = refused.slice(0, Math.max(cap - before, 0) + BEYOND_CAP)
  await partner.sendAll(again, { atOnce: AT_ONCE })
  await settle(partner, again)
  return countAnswered(calls) - before
}

function countAnswered(calls: readonly KeyedCall[]): number {
  return calls.filter(({ outcome }) => outcome === 'answered').length
}

interface Run {
  seed: number
  size: Pick<Size, 'cap' | 'calls'>
  injected: Injected
  tries: string
  books: Books
}

function describeRun({
  seed,
  size,
  injected,
  tries,
  books,
}: Run): Omit<OutcomeRow, 'recovery' | 'deviations'> {
  const restarts = injected.restarts
    .map(
      ({ mode, afterMs, awayMs }) => `${mode} after ${seconds(afterMs)} (${seconds(awayMs)} away)`,
    )
    .join(', ')
  return {
    fault: `Quota under kills, seed ${seed}`,
    injection: `cap ${size.cap}, ${size.calls} keys, three replicas behind nginx; kill -9 of a serving one every 2 s while another serves, ×${injected.kills}; PostgreSQL restarted ${restarts}`,
    partners: `tries: ${tries}`,
    operator: describeBooks(books),
    acknowledged: books.answered,
    lost: books.changedReplays,
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
