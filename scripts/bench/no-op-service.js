import { createBodyBudget } from '../../dist/http/body-budget.js'
import { readConfig } from '../../dist/config/config.js'
import { openDatabase } from '../../dist/database/open-database.js'
import { startCheckpoints } from '../../dist/database/start-checkpoints.js'
import { endpoint } from '../../dist/http/endpoint.js'
import { createKey } from '../../dist/organizations/api-key.js'
import { authenticate } from '../../dist/organizations/authenticate.js'
import { CAPABILITIES } from '../../dist/organizations/capability.js'
import { createIdempotency } from '../../dist/metering/idempotency.js'
import { createOrganization } from '../../dist/organizations/organization.js'
import { createRateLimiter } from '../../dist/metering/rate-limit.js'
import { openServerSecret } from '../../dist/organizations/server-secret.js'
import { createLog } from '../../dist/telemetry/log.js'
import { createMetrics } from '../../dist/telemetry/metrics.js'
import { createUsageRecorder } from '../../dist/usage/usage-recorder.js'
import { z } from 'zod'

const LIMITS = { included: 1e9, soft_cap: 1e9, hard_cap: 1e9, requests_per_minute: 100_000 }

/** The parts of the service that every call passes, with a plan that never refuses, and a key for it. */
export async function openNoOpContext(/** @type {string} */ dataDir) {
  const db = await openDatabase(dataDir)
  const secret = await openServerSecret(dataDir)
  const limits = Object.fromEntries(CAPABILITIES.map((capability) => [capability, LIMITS]))
  const plans = new Map([['bench', { name: 'bench', limits: { test: limits, live: limits } }]])
  const act = { actor: 'bench', now: Date.now() }
  const organization = await createOrganization(
    { db, plans },
    { name: 'Bench', plan: 'bench' },
    act,
  )
  const { apiKey } = await createKey(
    { db, secret },
    {
      organizationId: organization.id,
      name: 'Bench',
      environment: 'live',
      capabilities: CAPABILITIES,
    },
    act,
  )
  const endCheckpoints = await startCheckpoints({
    db,
    dataDir,
    onFailure: (error) => console.error(error),
  })
  const clock = Date.now
  const config = readConfig({ DATA_DIR: dataDir })
  const log = createLog({ level: 'silent', format: 'json' })
  const metrics = createMetrics()
  const usage = createUsageRecorder({ db, log, metrics, clock })
  const context = {
    config,
    log,
    metrics,
    clock,
    db,
    secret,
    plans,
    models: { status: () => [] },
    rateLimiter: createRateLimiter(),
    bodyBudget: createBodyBudget(config.bodiesLimitBytes),
    usage,
    idempotency: createIdempotency({ db, secret, clock }),
    authenticate: (/** @type {string | undefined} */ header) =>
      authenticate({ db, secret }, header, clock()),
  }
  const scope = {
    organizationId: organization.id,
    environment: 'live',
    capability: 'match.evaluate',
  }
  const close = async () => {
    await usage.close()
    await endCheckpoints()
    await db.destroy()
  }
  return { context, apiKey, scope, close }
}

/** A call that computes nothing. */
export const noOpEndpoint = endpoint({
  capability: 'match.evaluate',
  summary: 'Answers at once',
  body: z.strictObject({ value: z.string() }),
  response: z.object({ request_id: z.string() }),
  handle: (_context, _body, call) => Promise.resolve({ request_id: call.requestId }),
})
