import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../environment/wait-until.js'
import { Expectations } from '../../expectations.js'
import { Ledger } from '../../ledger/ledger.js'
import { Partner, type PartnerAnswer } from '../../ledger/partner.js'
import type { OutcomeRow, Scenario } from '../../scenario.js'
import { PostgresServer } from '../environment/postgres-server.js'
import { readExecutions, ReplicaFleet, setHeld } from '../environment/replica-fleet.js'
import { bodyOf, createKeyedCalls, createUuid, type KeyedCall } from '../partners/keyed-call.js'

const KEYS = 500
const KEYS_WHEN_SHORT = 60
const DUPLICATES = 6
const KEYS_AT_ONCE = 8
const BEAT_MS = 5_000
const TAKEOVER_LIMIT_MS = 16_000
const START_LIMIT_MS = 10_000
/** Marks of calls whose replica is killed. */
const KILLED_FROM = 10_000

export const oneExecution: Scenario = {
  name: 'one-execution',
  isInSelection: true,
  run: async (environment) => {
    const { random, settings } = environment
    const postgres = await PostgresServer.start(environment)
    const fleet = await ReplicaFleet.create(environment, postgres, { count: 3 })
    await fleet.start()
    const keys = settings.isShort ? KEYS_WHEN_SHORT : KEYS
    return [
      await sendDuplicates(fleet, createKeyedCalls(keys, random)),
      await killExecutors(fleet, { random, times: settings.isShort ? 1 : settings.runs }),
    ]
  },
}

/** Sends each call six times at once, twice to each replica. */
async function sendDuplicates(
  fleet: ReplicaFleet,
  calls: readonly KeyedCall[],
): Promise<OutcomeRow> {
  const check = new Expectations()
  const waiting = [...calls]
  let [answered, identical] = [0, 0]
  const work = async () => {
    for (let call = waiting.pop(); call; call = waiting.pop()) {
      const answers = await Promise.all(
        Array.from({ length: DUPLICATES }, (_, copy) =>
          send(fleet, { call: call!, to: copy % fleet.replicas.length }),
        ),
      )
      for (const { outcome } of answers) {
        check.expect(outcome === '200', `a duplicate got ${outcome}`)
        if (outcome === '200') answered++
      }
      const bodies = new Set(answers.map(({ body }) => body))
      check.expect(bodies.size === 1, 'duplicates got different bodies')
      if (bodies.size === 1) identical++
    }
  }
  await Promise.all(Array.from({ length: KEYS_AT_ONCE }, work))
  const executions = fleet.countExecutions()
  const isOnce = calls.every(({ mark }) => executions.get(mark) === 1)
  check.expect(isOnce && executions.size === calls.length, 'a call was not executed exactly once')
  const { used, stored } = await readCharges(fleet)
  check.expect(used === calls.length, `${used} calls count as used`)
  check.expect(stored === calls.length, `${stored} calls are stored`)
  const executed = [...executions.values()].reduce((sum, count) => sum + count, 0)
  return {
    fault: 'Duplicates at the same time',
    injection: `${calls.length} keys, each sent ${DUPLICATES} times at once, twice to each of three replicas`,
    partners: `200 ×${answered}; ${DUPLICATES} identical bodies for ${identical} of ${calls.length} keys`,
    operator: `the models executed ${executed}, used ${used}, calls stored ${stored}`,
    recovery: 'none is needed',
    acknowledged: calls.length,
    lost: 0,
    deviations: check.deviations,
  }
}

/** Kills replicas in the middle of calls, and measures when the duplicates that wait at another one are answered. */
async function killExecutors(
  fleet: ReplicaFleet,
  { random, times }: { random: () => number; times: number },
): Promise<OutcomeRow> {
  const check = new Expectations()
  const before = await readCharges(fleet)
  const waits: number[] = []
  for (let time = 0; time < times; time++) {
    const call = { mark: KILLED_FROM + time, idempotencyKey: createUuid(random) }
    const executor = Math.floor(random() * fleet.replicas.length)
    const { waitMs, answer } = await killExecutor(fleet, { call, executor, random })
    waits.push(waitMs)
    check.expect(answer.outcome === '200', `the duplicate got ${answer.outcome}`)
    check.expect(
      waitMs <= TAKEOVER_LIMIT_MS,
      `the duplicate was answered ${seconds(waitMs)} s after the kill`,
    )
    const replays = await Promise.all(fleet.replicas.map((_, to) => send(fleet, { call, to })))
    const isSame = replays.every(({ body }) => body === answer.body)
    check.expect(isSame, 'a later duplicate got another body')
  }
  const after = await readCharges(fleet)
  check.expect(after.used - before.used === times, `${after.used - before.used} calls were charged`)
  check.expect(after.stored - before.stored === times, 'calls stored differ from calls charged')
  return {
    fault: 'Executing replica killed',
    injection: `kill -9 of a random replica in the middle of a call, with a duplicate waiting at another one, ×${times}`,
    partners: `the duplicate got 200 after ${waits.map(seconds).join(', ')} s`,
    operator: `one charge for each call: ${after.used - before.used}`,
    recovery: `by itself, at the latest ${seconds(Math.max(...waits))} s after the kill; the limit is ${TAKEOVER_LIMIT_MS / 1_000} s`,
    acknowledged: times,
    lost: 0,
    deviations: check.deviations,
  }
}

interface Kill {
  call: KeyedCall
  /** Index of the replica. */
  executor: number
  random: () => number
}

async function killExecutor(
  fleet: ReplicaFleet,
  { call, executor, random }: Kill,
): Promise<{ waitMs: number; answer: PartnerAnswer }> {
  const victim = fleet.replicas[executor]!
  setHeld(victim, true)
  const lost = send(fleet, { call, to: executor })
  await waitUntil(() => readExecutions(victim.dataDir).includes(call.mark), START_LIMIT_MS)
  const duplicate = send(fleet, { call, to: (executor + 1) % fleet.replicas.length })
  // The last beat of the victim is of any age.
  await sleep(random() * BEAT_MS)
  const killedAt = performance.now()
  await victim.kill()
  setHeld(victim, false)
  const answer = await duplicate
  const waitMs = performance.now() - killedAt
  await lost
  await victim.start()
  return { waitMs, answer }
}

function send(
  { replicas, apiKey }: ReplicaFleet,
  { call, to }: { call: KeyedCall; to: number },
): Promise<PartnerAnswer> {
  const partner = new Partner({ baseUrl: replicas[to]!.baseUrl, apiKey }, new Ledger())
  const headers = { 'X-Idempotency-Key': call.idempotencyKey, 'X-Service-Synthetic': 'never' }
  return partner.post('/v1/profile/infer-preferences', JSON.stringify(bodyOf(call)), headers)
}

function readCharges(fleet: ReplicaFleet): Promise<{ used: number; stored: number }> {
  return fleet.queryOne(`
    select
      cast((select coalesce(sum(admitted), 0) from quota_usage) - (select count(*) from quota_leases) as int) as used,
      cast((select count(*) from service_calls) as int) as stored`)
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}
