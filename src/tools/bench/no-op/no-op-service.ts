import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { readConfig } from '../../../config/config.js'
import { openContext, type AppContext } from '../../../context.js'
import { createBodyBudget } from '../../../http/body-budget.js'
import { createJsonParser } from '../../../http/json-parser.js'
import type { CallDefinition } from '../../../http/call-definition.js'
import { serveCall } from '../../../http/serve-call.js'
import type { QuotaScope } from '../../../metering/quota.js'
import { createKey } from '../../../organizations/api-key.js'
import { CAPABILITIES } from '../../../organizations/capability.js'
import { createOrganization } from '../../../organizations/organization.js'
import { writePlans } from '../service/start-service.js'

/** The parts of the service without models, and an organisation on an unlimited plan. */
export interface NoOpService {
  context: AppContext
  apiKey: string
  scope: QuotaScope
}

/**
 * Opens the service in a data folder; `context.close()` ends it.
 * @param variables - of the configuration, such as those of a PostgreSQL database
 */
export async function openNoOpService(
  dataDir: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<NoOpService> {
  const context = await openNoOpContext(dataDir, variables)
  const act = { actor: 'bench', now: Date.now() }
  const { id } = await createOrganization(context, { name: 'Bench', plan: 'bench' }, act)
  const key = {
    organizationId: id,
    name: 'Bench',
    environment: 'live',
    capabilities: CAPABILITIES,
  } as const
  const { apiKey } = await createKey(context, key, act)
  const scope = { organizationId: id, environment: 'live', capability: 'match.evaluate' } as const
  return { context, apiKey, scope }
}

/** As `openNoOpService`, without an organisation: a replica beside one that has created it. */
export function openNoOpContext(
  dataDir: string,
  variables: Readonly<Record<string, string>>,
): Promise<AppContext> {
  mkdirSync(dataDir, { recursive: true })
  writePlans(dataDir)
  const PLANS_FILE = path.join(dataDir, 'plans.json')
  const own = { DATA_DIR: dataDir, PLANS_FILE, LOG_LEVEL: 'silent' }
  return openContext(readConfig({ ...own, ...variables }))
}

interface NoOpBody {
  value: string
}

interface NoOpResult {
  request_id: string
}

const NO_OP: CallDefinition<NoOpBody, NoOpResult> = {
  capability: 'match.evaluate',
  summary: 'Answers at once',
  body: z.strictObject({ value: z.string() }),
  response: z.object({ request_id: z.string() }),
  handle: (_context, _body, call) => Promise.resolve({ request_id: call.requestId }),
}

/** Serves a call that computes nothing, through all stages that every call runs through. */
export function serveNoOp(context: AppContext): RequestHandler {
  const bodyBudget = createBodyBudget(context.config.bodiesLimitBytes)
  return serveCall({ context, bodyBudget, jsonParser: createJsonParser() }, NO_OP)
}
