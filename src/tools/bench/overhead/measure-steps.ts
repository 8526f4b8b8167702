import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { countUsage, reserveQuota, settleQuota } from '../../../metering/quota.js'
import { median, quantile } from '../../statistics/quantile.js'
import { meterNoOp } from '../no-op/meter-no-op.js'
import { openNoOpService, type NoOpService } from '../no-op/no-op-service.js'

const RUNS = 2_000
const WARM_UP_RUNS = 200

/** Microseconds. */
interface StepTime {
  p50: number
  p99: number
}

/** Times by step, with commits as in production (`normal`) and with every commit synced (`full`). */
export type StepTimes = Record<'normal' | 'full', Record<string, StepTime>>

type Steps = Record<string, () => unknown>

/** Measures each step of a call separately. */
export async function measureSteps(dataDir: string): Promise<StepTimes> {
  const service = await openNoOpService(dataDir)
  const writing = createWritingSteps(service)
  const normal = await timeSteps({ ...(await createReadingSteps(service)), ...writing })
  await sql`pragma synchronous = full`.execute(service.context.db)
  const full = await timeSteps(writing)
  await service.context.close()
  return { normal, full }
}

async function createReadingSteps({ context, apiKey, scope }: NoOpService): Promise<Steps> {
  const { authenticate, clock, db, rateLimiter } = context
  const stored = { scope, idempotencyKey: randomUUID() }
  await meterNoOp(context, stored)
  return {
    authenticate: () => authenticate(`Bearer ${apiKey}`),
    'rate limit': () => rateLimiter.take('x', 1e5, clock()),
    'usage for the headers': () => countUsage(db, scope, clock()),
    'replay of a stored answer': () => meterNoOp(context, stored),
  }
}

function createWritingSteps({ context, scope }: NoOpService): Steps {
  const { clock, db } = context
  return {
    'reserve and settle': async () => {
      const terms = { hardCap: 1e9, now: clock(), deadline: clock() + 60_000 }
      const lease = await reserveQuota(db, scope, terms)
      await db.transaction().execute((transaction) => settleQuota(transaction, lease, clock()))
    },
    'whole metering, no idempotency key': () =>
      meterNoOp(context, { scope, idempotencyKey: undefined }),
    'whole metering, idempotency key': () =>
      meterNoOp(context, { scope, idempotencyKey: randomUUID() }),
  }
}

async function timeSteps(steps: Steps): Promise<Record<string, StepTime>> {
  const result: Record<string, StepTime> = {}
  for (const [name, step] of Object.entries(steps)) {
    const times: number[] = []
    for (let run = -WARM_UP_RUNS; run < RUNS; run++) {
      const startedAt = performance.now()
      await step()
      if (run >= 0) times.push((performance.now() - startedAt) * 1_000)
    }
    result[name] = { p50: Math.round(median(times)), p99: Math.round(quantile(times, 0.99)) }
  }
  return result
}
