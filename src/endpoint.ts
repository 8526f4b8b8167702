import express, { type Request, type RequestHandler, type Response } from 'express'
import type { z } from 'zod'
import type { AppContext } from './context.js'
import { ServiceError, toServiceError } from './errors.js'
import { openEventStream, type EventStream } from './event-stream.js'
import { sendError } from './error-response.js'
import { describeShapeProblem, type MissingFieldCode } from './request-body.js'
import { authorize } from './organizations/authorize.js'
import type { Caller, Capability } from './organizations/capability.js'
import { setQuotaHeaders, UNKNOWN_QUOTA } from './organizations/quota-headers.js'
import { traceOf } from './request-trace.js'

/** One request, as a use case sees it. */
export interface Call {
  requestId: string
  caller: Caller
  /** Aborts when the client leaves or the deadline passes. */
  signal: AbortSignal
  /** Milliseconds since the epoch. */
  deadline: number
  /** Sends a partial result to a client that asked for a stream; does nothing otherwise. */
  emit(event: string, data: unknown): void
}

export interface EndpointDefinition<Body, Result> {
  capability: Capability
  /** One sentence for people; the title in the API's documentation. */
  summary: string
  body: z.ZodType<Body>
  response: z.ZodType<Result>
  /** Code for a missing or empty required field, by the body's top-level field. */
  missingFieldCodes?: Record<string, MissingFieldCode>
  /** `true`: answers with server-sent events when the client accepts them. */
  streams?: boolean
  handle(context: AppContext, body: Body, call: Call): Promise<Result>
}

/** An endpoint whose body and result types only it knows. */
export type Endpoint = EndpointDefinition<never, unknown> & {
  handler(context: AppContext): RequestHandler
}

/**
 * Declares a call under /v1 and gives it the path that every one takes: authenticate → authorize → parse →
 * handle → answer.
 */
export function endpoint<Body, Result>(definition: EndpointDefinition<Body, Result>) {
  const handler = (context: AppContext): RequestHandler => {
    const readJson = jsonBodyReader(context)
    return async (request, response) => {
      const stream = wantsStream(definition, request) ? openEventStream(response) : undefined
      const abort = abortWithClient(response, context.config.requestTimeoutMs)
      try {
        const trace = traceOf(response)
        setQuotaHeaders(response, definition.capability, UNKNOWN_QUOTA)
        const caller = await context.authenticate(request.headers.authorization)
        trace.caller = caller
        setQuotaHeaders(response, definition.capability, { ...UNKNOWN_QUOTA, plan: caller.plan })
        authorize(caller, definition.capability)
        const body = parseBody(definition, await readJson(request, response))
        const result = await definition.handle(context, body, {
          requestId: trace.requestId,
          caller,
          signal: abort.signal,
          deadline: abort.deadline,
          emit: (event, data) => stream?.send(event, data),
        })
        if (stream) endStream(stream, 'done', result)
        else response.status(200).json(result)
      } catch (thrown) {
        const error = abort.timedOut() ? timeoutError(thrown) : thrown
        fail(context, response, { stream, error })
      } finally {
        abort.clear()
      }
    }
  }
  return { ...definition, handler }
}

function wantsStream(definition: { streams?: boolean }, request: Request): boolean {
  if (!definition.streams) return false
  return request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream'
}

type JsonReader = (request: Request, response: Response) => Promise<unknown>

/** Reads the body only once the caller is known, so that a stranger cannot make the server hold large bodies. */
function jsonBodyReader(context: AppContext): JsonReader {
  const parse = express.json({
    limit: context.config.bodyLimitBytes,
    type: 'application/json',
    strict: false,
  })
  return async (request, response) => {
    if (!request.is('application/json')) {
      throw new ServiceError(
        'unsupported_media_type',
        'Send a JSON body with the header `Content-Type: application/json`.',
      )
    }
    await new Promise<void>((resolve, reject) => {
      parse(request, response, (error?: unknown) => {
        if (error) reject(error as Error)
        else resolve()
      })
    })
    return request.body as unknown
  }
}

function parseBody<Body>(definition: EndpointDefinition<Body, unknown>, json: unknown): Body {
  const parsed = definition.body.safeParse(json)
  if (parsed.success) return parsed.data
  throw describeShapeProblem(parsed.error, json, definition.missingFieldCodes)
}

/** Follows the client: gone or out of time, the signal aborts and with it everything done on its behalf. */
function abortWithClient(response: Response, timeoutMs: number) {
  const controller = new AbortController()
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    controller.abort()
  }, timeoutMs)
  response.once('close', () => controller.abort())
  return {
    signal: controller.signal,
    deadline: Date.now() + timeoutMs,
    timedOut: () => timedOut,
    clear: () => clearTimeout(timer),
  }
}

function timeoutError(cause: unknown): ServiceError {
  return new ServiceError(
    'overloaded',
    'The service had no time to finish this call. Retry later.',
    {
      cause,
      retryAfterSeconds: 5,
    },
  )
}

function endStream(stream: EventStream, event: string, data: unknown): void {
  stream.send(event, data)
  stream.end()
}

interface Failure {
  stream: EventStream | undefined
  error: unknown
}

function fail(context: AppContext, response: Response, { stream, error }: Failure): void {
  if (response.destroyed) return
  if (!stream?.started) {
    sendError(context.log, response, error)
    return
  }
  const serviceError = toServiceError(error)
  const trace = traceOf(response)
  trace.errorCode = serviceError.code
  endStream(stream, 'error', {
    error: serviceError.code,
    message: serviceError.message,
    request_id: trace.requestId,
  })
}
