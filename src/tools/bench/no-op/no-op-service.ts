import { mkdirSync } from 'node:fs'
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

/** Opens the service in a data folder; `context.close()` ends it. */
export async function openNoOpService(dataDir: string): Promise<NoOpService> {
  mkdirSync(dataDir, { recursive: true })
  writePlans(dataDir)
  const context = await openContext(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }))
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
