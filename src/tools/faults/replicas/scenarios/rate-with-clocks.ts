import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultEnvironment } from '../../environment/fault-environment.js'
import type { ServiceProcess } from '../../environment/service-process.js'
import { Expectations } from '../../expectations.js'
import { Ledger } from '../../ledger/ledger.js'
import { Partner } from '../../ledger/partner.js'
import type { OutcomeRow, Scenario } from '../../scenario.js'
import { PostgresServer } from '../environment/postgres-server.js'
import { ReplicaFleet } from '../environment/replica-fleet.js'
import { countInBusiestWindow, type AdmittedCall } from '../partners/admitted-calls.js'
import { bodyOf } from '../partners/keyed-call.js'

const CLOCK_PRELOAD = path.join(import.meta.dirname, '..', '..', 'environment', 'clock-shift.js')
const SHIFTS_MS = [-30_000, 0, 30_000]
/** What a replica stores may be this much later than the call was sent. */
const CLOCK_TOLERANCE_MS = 10_000
const LIMIT = 120
const WINDOW_MS = 60_000
const FULL_MS = 150_000
/** Shorter than a window: everything admitted falls into one. */
const SHORT_MS = 8_000
/** A partner that pays no attention to refusals, but stays below four times the limit, above which nothing is admitted any more. */
const PAUSE_MS = 700

/** Three bursts at once are 50 % above the limit, and not so many calls at a time that a replica is busy. */
const BURST_LANES = 6
const BURST_CALLS = LIMIT / 12

/** A call that was admitted, with the clock of its replica. */
interface Admitted extends AdmittedCall {
  shiftMs: number
  requestId: string
  /** Time of this machine when it was sent. */
  sentAt: number
}

export const rateWithClocks: Scenario = {
  name: 'rate-with-clocks',
  isInSelection: false,
  run: async (environment) => {
    const { isShort } = environment.settings
    const fleet = await startFleet(environment)
    const admitted: Admitted[] = []
    const refusals = new Map<string, number>()
    const endsAt = performance.now() + (isShort ? SHORT_MS : FULL_MS)
    const callers = fleet.replicas.map((replica, index) =>
      callWithoutRest(
        replica,
        { apiKey: fleet.apiKey, shiftMs: SHIFTS_MS[index]!, endsAt },
        (one) => {
          if (typeof one === 'string') refusals.set(one, (refusals.get(one) ?? 0) + 1)
          else admitted.push(one)
        },
      ),
    )
    await Promise.all(callers)
    return [await describeOutcome(fleet, { admitted, refusals, isShort })]
  },
}

interface Seen {
  admitted: readonly Admitted[]
  /** How many refusals of each kind. */
  refusals: ReadonlyMap<string, number>
  isShort: boolean
}

async function describeOutcome(
  fleet: ReplicaFleet,
  { admitted, refusals, isShort }: Seen,
): Promise<OutcomeRow> {
  const check = new Expectations()
  const most = countInBusiestWindow(admitted, WINDOW_MS)
  check.expect(most <= LIMIT, `${most} calls were admitted within 60 s, the limit is ${LIMIT}`)
  check.expect(most >= LIMIT, `at most ${most} calls were admitted within 60 s: it limited nothing`)
  const others = [...refusals.keys()].filter((outcome) => outcome !== '429 rate_limited')
  check.expect(others.length === 0, `partners got ${others.join(', ')}`)
  await expectShiftedClocks(check, fleet, admitted)
  const countOf = (shift: number) => admitted.filter(({ shiftMs }) => shiftMs === shift).length
  const refused = [...refusals].map(([outcome, count]) => `${outcome} ×${count}`).join(', ')
  const seconds = (isShort ? SHORT_MS : FULL_MS) / 1_000
  return {
    fault: 'Clocks that differ',
    injection: `three replicas, their clocks 30 s slow, right and 30 s fast; limit ${LIMIT} a minute; ${seconds} s of calls to each without regard to refusals`,
    partners: `200 ×${admitted.length} (by replica ${SHIFTS_MS.map(countOf).join(', ')}), ${refused}`,
    operator: `at most ${most} admitted within any 60 s of true time`,
    recovery: 'none is needed',
    acknowledged: admitted.length,
    lost: 0,
    deviations: check.deviations,
  }
}

async function startFleet(environment: FaultEnvironment): Promise<ReplicaFleet> {
  const postgres = await PostgresServer.start(environment)
  const fleet = await ReplicaFleet.create(environment, postgres, {
    count: SHIFTS_MS.length,
    limits: { included: 1e9, soft_cap: 1e9, requests_per_minute: LIMIT },
    envOf: (index) => shiftClock(environment, SHIFTS_MS[index]!),
  })
  await fleet.start()
  return fleet
}

function shiftClock({ folder }: FaultEnvironment, milliseconds: number): Record<string, string> {
  const file = path.join(folder, `clock-${milliseconds}`)
  writeFileSync(file, String(milliseconds))
  return { FAULT_CLOCK_FILE: file, NODE_OPTIONS: `--import=${CLOCK_PRELOAD}` }
}

/** Begins with more calls at once than the limit allows, and then sends one after the other until the end. */
async function callWithoutRest(
  { baseUrl }: ServiceProcess,
  { apiKey, shiftMs, endsAt }: { apiKey: string; shiftMs: number; endsAt: number },
  onOutcome: (outcome: Admitted | string) => void,
): Promise<void> {
  const partner = new Partner({ baseUrl, apiKey }, new Ledger())
  let mark = shiftMs + 100_000
  const call = async () => {
    const [sentAt, sentMs] = [Date.now(), performance.now()]
    const body = JSON.stringify(bodyOf({ mark: mark++ }))
    const answer = await partner.post('/v1/profile/infer-preferences', body)
    const answeredMs = performance.now()
    if (answer.status !== 200) return onOutcome(answer.outcome)
    const { request_id: requestId } = JSON.parse(answer.body) as { request_id: string }
    onOutcome({ sentMs, answeredMs, sentAt, shiftMs, requestId })
  }
  const burst = async () => {
    for (let sent = 0; sent < BURST_CALLS; sent++) await call()
  }
  await Promise.all(Array.from({ length: BURST_LANES }, burst))
  while (performance.now() < endsAt) {
    await call()
    await sleep(PAUSE_MS)
  }
}

/** What replicas stored shows that their clocks were really wrong. */
async function expectShiftedClocks(
  check: Expectations,
  fleet: ReplicaFleet,
  admitted: readonly Admitted[],
): Promise<void> {
  const rows = await fleet.postgres.query<{ request_id: string; created_at: string }>(
    fleet.database,
    'select request_id, created_at from service_calls',
  )
  const storedAt = new Map(rows.map((row) => [row.request_id, Number(row.created_at)]))
  for (const { requestId, sentAt, shiftMs } of admitted) {
    const differenceMs = (storedAt.get(requestId) ?? Number.NaN) - sentAt
    const isShifted = Math.abs(differenceMs - shiftMs) < CLOCK_TOLERANCE_MS
    check.expect(isShifted, 'a replica has not stored a call with its shifted clock')
  }
}
