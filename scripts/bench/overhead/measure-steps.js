import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { meterCall } from '../../../dist/metering/meter-call.js'
import { countUsage, reserveQuota, settleQuota } from '../../../dist/metering/quota.js'
import { median, quantile } from '../../statistics/quantile.js'
import { openNoOpContext } from '../no-op-service.js'

const RUNS = 2_000

/** Microseconds that each step of a call takes by itself, with commits as they are and with every one synced. */
export async function measureSteps(/** @type {string} */ dataDir) {
  const { context, apiKey, scope, close } = await openNoOpContext(dataDir)
  const { db, clock, rateLimiter } = context
  const limits = { included: 1, softCap: 1e9, hardCap: 1e9, requestsPerMinute: 1e5 }
  const meter = (/** @type {string | undefined} */ idempotencyKey) =>
    meterCall(
      context,
      {
        scope,
        limits,
        idempotencyKey,
        body: Buffer.alloc(32),
        deadline: clock() + 60_000,
        signal: new AbortController().signal,
      },
      {
        parse: () => 0,
        execute: () => Promise.resolve({ answer: { body: 'x'.repeat(300), headers: {} } }),
      },
    )
  const storedKey = randomUUID()
  await meter(storedKey)
  const header = `Bearer ${apiKey}`
  const readingSteps = {
    authenticate: () => context.authenticate(header),
    'rate limit': () => rateLimiter.take('x', 1e5, clock()),
    'usage for the headers': () => countUsage(db, scope, clock()),
    'replay of a stored answer': () => meter(storedKey),
  }
  const writingSteps = {
    'reserve and settle': async () => {
      const terms = { hardCap: 1e9, now: clock(), deadline: clock() + 60_000 }
      await settleQuota(db, await reserveQuota(db, scope, terms), clock())
    },
    'whole metering, no idempotency key': () => meter(undefined),
    'whole metering, idempotency key': () => meter(randomUUID()),
  }
  const normal = await timeSteps({ ...readingSteps, ...writingSteps })
  await sql`pragma synchronous = full`.execute(db)
  const full = await timeSteps(writingSteps)
  await close()
  return { normal, full }
}

async function timeSteps(/** @type {Record<string, () => unknown>} */ steps) {
  /** @type {Record<string, { p50: number, p99: number }>} */
  const result = {}
  for (const [name, step] of Object.entries(steps)) {
    const times = []
    for (let run = -200; run < RUNS; run++) {
      const startedAt = performance.now()
      await step()
      if (run >= 0) times.push((performance.now() - startedAt) * 1_000)
    }
    result[name] = { p50: Math.round(median(times)), p99: Math.round(quantile(times, 0.99)) }
  }
  return result
}
