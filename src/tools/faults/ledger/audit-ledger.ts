import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { databaseFile } from '../../../database/open-database.js'
import type { ServiceAddress } from '../../bench/service/start-service.js'
import type { Ledger } from './ledger.js'
import { Partner, type PartnerAnswer } from './partner.js'

const SETTLE_LIMIT_MS = 90_000
const RETRY_MS = 200
/** A retry executes at once, or is refused with Retry-After; it never waits for a request that has failed. */
const GOOD_RETRY_MS = 15_000
const AT_ONCE = 4

export interface AuditedService extends ServiceAddress {
  dataDir: string
}

/** What is wrong with the books after a recovery; all zero when nothing acknowledged was lost. */
export interface Audit {
  lostEvents: number
  /** Answered calls whose replay is not the same answer. */
  changedReplays: number
  lostKeys: number
  /** Charged calls minus answered idempotency keys. */
  chargeDifference: number
  /** Requests whose outcome stayed unknown although they were sent again and again. */
  unsettled: number
  /** Longest time that one of those requests waited for its answer. */
  slowestRetryMs: number
}

/**
 * Compares the ledger with the service. First sends everything again that was not acknowledged, as a partner does; then
 * sends everything again that was: events must be known, answers the same, and each answered key charged once.
 */
export async function auditLedger(service: AuditedService, ledger: Ledger): Promise<Audit> {
  const partner = new Partner(service, ledger)
  const { unsettled, slowestRetryMs } = await settleLedger(partner)
  const { untilAnswered } = createRepeater()
  const replays = await inTurns(ledger.answeredCalls(), async (call) => {
    const answer = await untilAnswered(() => partner.sendCall(call))
    return answer.body === call.answer ? 0 : 1
  })
  const events = await inTurns(ledger.acknowledgedBatches(), async (batch) => {
    const answer = await untilAnswered(() => partner.report(batch))
    if (answer.status !== 200) return batch.size
    return (JSON.parse(answer.body) as { accepted: number }).accepted
  })
  const keys = await inTurns(ledger.keys, async (key) =>
    (await partner.tryKey(key)) === 401 ? 1 : 0,
  )
  return {
    lostEvents: events,
    changedReplays: replays,
    lostKeys: keys,
    chargeDifference: countCharges(service.dataDir) - ledger.answeredCalls().length,
    unsettled,
    slowestRetryMs,
  }
}

/** Sends every request without an answer again until it has one. */
async function settleLedger(
  partner: Partner,
): Promise<Pick<Audit, 'unsettled' | 'slowestRetryMs'>> {
  const { untilAnswered, slowestMs } = createRepeater()
  const { ledger } = partner
  const calls = ledger.calls.filter(({ answer }) => answer === undefined)
  const openCalls = await inTurns(calls, async (call) =>
    (await untilAnswered(() => partner.call(call))).status === 200 ? 0 : 1,
  )
  const batches = ledger.batches.filter(({ isAcknowledged }) => !isAcknowledged)
  const openBatches = await inTurns(batches, async (batch) =>
    (await untilAnswered(() => partner.report(batch))).status === 200 ? 0 : 1,
  )
  return { unsettled: openCalls + openBatches, slowestRetryMs: slowestMs() }
}

/** Acknowledged records that are missing. A call charged too often is wrong but not lost. */
export function countLost(audit: Audit): number {
  const uncharged = Math.max(-audit.chargeDifference, 0)
  return audit.lostEvents + audit.changedReplays + audit.lostKeys + uncharged
}

/** One text for each kind of difference. */
export function describeAudit(audit: Audit): string[] {
  const texts: [number, string][] = [
    [audit.lostEvents, 'acknowledged events are missing'],
    [audit.changedReplays, 'replays differ from the first answer'],
    [audit.lostKeys, 'keys are unknown'],
    [audit.unsettled, 'requests got no answer after the recovery'],
    [Math.max(audit.chargeDifference, 0), 'calls are charged twice or without an answer'],
    [Math.max(-audit.chargeDifference, 0), 'answered calls are not charged'],
  ]
  const differences = texts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${count} ${text}`)
  if (audit.slowestRetryMs <= GOOD_RETRY_MS) return differences
  const seconds = Math.round(audit.slowestRetryMs / 1_000)
  return [...differences, `a retry with the same key waited ${seconds} s`]
}

/** Repeats requests while the service refuses them for a moment. All share one time limit. */
function createRepeater() {
  const giveUpAt = performance.now() + SETTLE_LIMIT_MS
  let slowestMs = 0
  const untilAnswered = async (send: () => Promise<PartnerAnswer>): Promise<PartnerAnswer> => {
    for (;;) {
      const sentAt = performance.now()
      const answer = await send()
      slowestMs = Math.max(slowestMs, performance.now() - sentAt)
      const isPassing = [0, 500, 503].includes(answer.status)
      if (!isPassing || performance.now() > giveUpAt) return answer
      await sleep(RETRY_MS)
    }
  }
  return { untilAnswered, slowestMs: () => slowestMs }
}

/** Sums what `count` returns for each item, a few at a time. */
async function inTurns<T>(
  items: readonly T[],
  count: (item: T) => Promise<number>,
): Promise<number> {
  const rest = [...items]
  let sum = 0
  const work = async () => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) {
      const counted = await count(item)
      // Not in one statement with the await, which would read the sum before and overwrite what others added.
      sum += counted
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return sum
}

/** Charged calls of all months: a clock that jumps may have moved some to another one. */
function countCharges(dataDir: string): number {
  const db = new BetterSqlite3(databaseFile(dataDir), { fileMustExist: true, timeout: 5_000 })
  try {
    const charges = db.prepare(
      `select coalesce(sum(admitted), 0) - (select count(*) from quota_leases where capability = 'match.evaluate')
       from quota_usage where capability = 'match.evaluate'`,
    )
    return charges.pluck().get() as number
  } finally {
    db.close()
  }
}
