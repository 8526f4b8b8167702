import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { z } from 'zod'
import { createBodyBudget } from '../../src/http/body-budget.js'
import { createJsonParser } from '../../src/http/json-parser.js'
import { readConfig } from '../../src/config/config.js'
import type { AppContext } from '../../src/context.js'
import type { CallDefinition, ServedCall } from '../../src/http/call-definition.js'
import { errorHandler } from '../../src/http/error-response.js'
import { sendQuotaHeaders } from '../../src/http/quota-headers.js'
import { serveCall } from '../../src/http/serve-call.js'
import { traceRequests } from '../../src/http/trace-requests.js'
import { authenticate } from '../../src/organizations/authenticate.js'
import { createIdempotency } from '../../src/metering/idempotency.js'
import type { Plans } from '../../src/metering/plans.js'
import { createRateLimiter } from '../../src/metering/rate-limit.js'
import { createMetrics } from '../../src/telemetry/metrics.js'
import { createUsageRecorder } from '../../src/usage/usage-recorder.js'
import { createRecordingLog, type RecordingLog } from '../inference/workers/_fixture-host.js'
import { NOON, openStorage, type StorageFixture } from '../organizations/_storage.js'

const CAPABILITY = 'conversation.openers'

export interface Work {
  (call: ServedCall): Promise<string>
}

export interface NoOpService {
  storage: StorageFixture
  metrics: AppContext['metrics']
  usage: AppContext['usage']
  log: RecordingLog
  /** Executes a request and returns the text of the answer. */
  work: Work
  now: number
  post(options: PostOptions): Promise<Answer>
  close(): Promise<void>
}

export interface PostOptions {
  apiKey?: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  code: string | undefined
}

/**
 * Serves one call that returns the result of `work`, through the whole HTTP pipeline, on a small plan: 60 requests a
 * minute, 3 calls a month, a warning from the second.
 */
export async function startNoOpService(): Promise<NoOpService> {
  const storage = await openStorage()
  const limits = { included: 3, soft_cap: 2, hard_cap: 3, requests_per_minute: 60 }
  const everywhere = {
    'profile.infer_preferences': limits,
    'match.evaluate': limits,
    'conversation.openers': limits,
    events: limits,
  }
  const plans: Plans = new Map([
    ['free', { name: 'free', limits: { test: everywhere, live: everywhere } }],
  ])
  const { db, secret } = storage
  const clock = () => service.now
  const config = readConfig({ DATA_DIR: storage.dataDir })
  const log = createRecordingLog()
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
    storage: { assertHasRoom: () => {} },
    rateLimiter: createRateLimiter(),
    usage,
    idempotency: createIdempotency({ db, secret, clock }),
    authenticate: (header: string | undefined) => authenticate({ db, secret }, header, clock()),
  } as unknown as AppContext
  const bodySchema = z.strictObject({ value: z.string() })
  const responseSchema = z.object({ request_id: z.string(), text: z.string() })
  const noOp: CallDefinition<z.infer<typeof bodySchema>, z.infer<typeof responseSchema>> = {
    capability: CAPABILITY,
    summary: 'Returns the result of the test',
    body: bodySchema,
    response: responseSchema,
    synthesize: (_body, requestId) => ({
      request_id: requestId,
      text: `Grüße 👋 ${randomUUID()}`,
    }),
    streams: { replay: (result, emit) => emit('part', { text: result.text }) },
    handle: async (_context, _body, call) => {
      const text = await service.work(call)
      call.emit('part', { text })
      return { request_id: call.requestId, text }
    },
  }
  const app = express()
  app.use(traceRequests(context))
  app.use(sendQuotaHeaders())
  const bodyBudget = createBodyBudget(config.bodiesLimitBytes)
  app.post('/', serveCall({ context, bodyBudget, jsonParser: createJsonParser() }, noOp))
  app.use(errorHandler(log))
  const server = http.createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  const service: NoOpService = {
    storage,
    metrics,
    usage,
    log,
    work: () => Promise.resolve('done'),
    now: NOON,
    post: async ({ apiKey, body = { value: 'a' }, headers = {}, signal }) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        signal: signal ?? null,
      })
      const text = await response.text()
      const code = /"error":"(?<code>\w+)"/.exec(text)?.groups?.code
      return { status: response.status, headers: response.headers, text, code }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await usage.close()
      await storage.remove()
    },
  }
  return service
}
