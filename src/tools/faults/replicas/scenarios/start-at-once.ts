import type { FaultEnvironment } from '../../environment/fault-environment.js'
import { Expectations } from '../../expectations.js'
import { Ledger } from '../../ledger/ledger.js'
import { Partner } from '../../ledger/partner.js'
import type { OutcomeRow, Scenario } from '../../scenario.js'
import { startPooler, type Pooler } from '../environment/pooler.js'
import { PostgresServer } from '../environment/postgres-server.js'
import { ReplicaFleet } from '../environment/replica-fleet.js'
import { bodyOf } from '../partners/keyed-call.js'

const REPLICAS = 6
/** One of the tables that the first migration creates. */
const CREATES_TABLE = 'create table organizations '

export const startAtOnce: Scenario = {
  name: 'start-at-once',
  isInSelection: false,
  run: async (environment) => {
    const postgres = await PostgresServer.start(environment)
    return [await startOften(environment, postgres, { fault: 'Six replicas start at once' })]
  },
}

export const startThroughPooler: Scenario = {
  name: 'start-through-pooler',
  isInSelection: false,
  run: async (environment) => {
    const postgres = await PostgresServer.start(environment)
    const pooler = await startPooler(environment, postgres)
    const fault = 'Six replicas start at once through PgBouncer'
    return [await startOften(environment, postgres, { fault, pooler })]
  },
}

/** Starts six replicas on an empty database, again and again. */
async function startOften(
  environment: FaultEnvironment,
  postgres: PostgresServer,
  { fault, pooler }: { fault: string; pooler?: Pooler },
): Promise<OutcomeRow> {
  const { isShort, runs } = environment.settings
  const times = isShort ? 1 : runs
  const check = new Expectations()
  const readyMs: number[] = []
  let sound = 0
  for (let time = 0; time < times; time++) {
    const options = { count: REPLICAS, ...(pooler && { pooler }) }
    const fleet = await ReplicaFleet.create(environment, postgres, options)
    const startedAt = performance.now()
    await fleet.start()
    readyMs.push(performance.now() - startedAt)
    const installation = new Expectations()
    await expectOneInstallation(installation, fleet)
    for (const deviation of installation.deviations) check.expect(false, deviation)
    if (installation.deviations.length === 0) sound++
    await fleet.end()
  }
  const deadlocks = postgres.countDeadlocks()
  check.expect(deadlocks === 0, `PostgreSQL found ${deadlocks} deadlocks`)
  const through = pooler ? 'through PgBouncer in transaction mode' : 'directly'
  return {
    fault,
    injection: `${REPLICAS} replicas start at the same time on an empty database, ${through}, ×${times}`,
    partners: 'the first key works on every replica',
    operator: `one migration run, one first organisation, one key: ${sound} of ${times} times; ${deadlocks} deadlocks`,
    recovery: `all ready after ${readyMs.map((ms) => (ms / 1_000).toFixed(1)).join(', ')} s`,
    acknowledged: times,
    lost: 0,
    deviations: check.deviations,
  }
}

async function expectOneInstallation(check: Expectations, fleet: ReplicaFleet): Promise<void> {
  const lines = fleet.postgres.readLog().split('\n')
  const created = lines.filter(
    (line) => line.includes(` ${fleet.database} `) && line.includes(CREATES_TABLE),
  )
  check.expect(created.length === 1, `migrations ran ${created.length} times`)
  const { organizations, keys } = await fleet.queryOne<Record<'organizations' | 'keys', number>>(`
    select cast((select count(*) from organizations) as int) as organizations,
      cast((select count(*) from api_keys) as int) as keys`)
  check.expect(organizations === 1, `${organizations} first organisations`)
  check.expect(keys === 1 && fleet.firstKeys().length === 1, `${keys} first keys`)
  const { apiKey } = fleet
  const statuses = await Promise.all(
    fleet.replicas.map(async ({ baseUrl }, mark) => {
      const partner = new Partner({ baseUrl, apiKey }, new Ledger())
      const body = JSON.stringify(bodyOf({ mark }))
      return (await partner.post('/v1/profile/infer-preferences', body)).outcome
    }),
  )
  check.expect(
    statuses.every((outcome) => outcome === '200'),
    `the first key got ${statuses.join(', ')}`,
  )
  const problems = fleet.replicas.flatMap(({ log }) => [...log.problemsSince().keys()])
  check.expect(problems.length === 0, `replicas logged “${problems.join('”, “')}”`)
}
