import createClient from 'openapi-fetch'
import type {
  EventsRequest,
  EventsResponse,
  InferPreferencesRequest,
  InferPreferencesResponse,
  MatchRequest,
  MatchResponse,
  OpenersRequest,
  OpenersResponse,
  paths,
} from './api-schema.js'
import { delay } from './delay.js'
import { readOpenerStream, type OpenerStreamEvent } from './read-opener-stream.js'
import { ConnectionError, ProfileServiceError } from './service-failure.js'
import { withRetries, type RetryPolicy } from './with-retries.js'

export interface ProfileClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`. */
  baseUrl: string
  /** `sk_test_…` or `sk_live_…`. */
  apiKey: string
  /** Tries after the first one; defaults to 3. */
  retries?: number
  /** A failure whose `Retry-After` is longer is thrown at once; defaults to 61 seconds, the longest that a rate limit asks for. */
  longestWaitMs?: number
  /** Sees every response, tries included, for its headers: quota, rate limit, synthetic data. */
  onResponse?: (response: Response) => void
  /** How a wait before a retry is done; defaults to a timer. */
  sleep?: RetryPolicy['sleep']
}

export interface CallOptions {
  /** Ends the call and its retries, and what the service does for it. */
  signal?: AbortSignal
  /** UUID that makes the call the same as an earlier one; defaults to a new one, kept over the retries. */
  idempotencyKey?: string
  /** From `hashEndUserId`. */
  endUserId?: string
  /** `never`: with a test key, fail where synthetic data would be answered. */
  synthetic?: 'never'
  /** With a test key: the answer says in `explain` how it came about. */
  explain?: boolean
}

/**
 * The calls of the service. All reject with `ProfileServiceError` when the service refuses or fails, with
 * `ConnectionError` when no whole answer arrives, and with the reason of `signal` when it aborts.
 */
export interface ProfileClient {
  inferPreferences(
    body: InferPreferencesRequest,
    options?: CallOptions,
  ): Promise<InferPreferencesResponse>
  evaluateMatch(body: MatchRequest, options?: CallOptions): Promise<MatchResponse>
  generateOpeners(body: OpenersRequest, options?: CallOptions): Promise<OpenersResponse>
  /**
   * Openers as they are written. Tried again only up to the first event: what was told is never told twice. Leaving the
   * loop early ends the work of the service.
   */
  streamOpeners(
    body: OpenersRequest,
    options?: CallOptions,
  ): AsyncGenerator<OpenerStreamEvent, void>
  reportEvents(body: EventsRequest, options?: CallOptions): Promise<EventsResponse>
}

export function createProfileClient(options: ProfileClientOptions): ProfileClient {
  const { retries = 3, longestWaitMs = 61_000, sleep = delay, onResponse } = options
  const api = createClient<paths, 'application/json'>({
    baseUrl: options.baseUrl,
    headers: { Authorization: `Bearer ${options.apiKey}` },
    // The service never redirects, and people's data goes nowhere else.
    redirect: 'error',
  })
  const policy = { retries, longestWaitMs, sleep }
  const send = async <T>(
    call: CallOptions = {},
    request: (init: CallInit) => Promise<Outcome<T>>,
  ): Promise<Delivered<T>> => {
    const init = toCallInit(call)
    const attempt = async () => {
      const outcome = await settle(request(init), call.signal)
      onResponse?.(outcome.response)
      return unwrap(outcome)
    }
    return withRetries(attempt, policy, call.signal)
  }

  return {
    inferPreferences: async (body, call) =>
      (await send(call, (init) => api.POST('/v1/profile/infer-preferences', { ...init, body })))
        .data,
    evaluateMatch: async (body, call) =>
      (await send(call, (init) => api.POST('/v1/match/evaluate', { ...init, body }))).data,
    generateOpeners: async (body, call) =>
      (await send(call, (init) => api.POST(OPENERS, { ...init, body }))).data,
    async *streamOpeners(body, call) {
      const headers = { Accept: 'text/event-stream' }
      const { data, response } = await send(call, (init) =>
        api.POST(OPENERS, { ...init, body, headers, parseAs: 'stream' }),
      )
      yield* readOpenerStream(response, data, call?.signal)
    },
    reportEvents: async (body, call) =>
      (await send(call, (init) => api.POST('/v1/events', { ...init, body }))).data,
  }
}

const OPENERS = '/v1/conversation/openers'

type CallInit = ReturnType<typeof toCallInit>

function toCallInit({ signal, idempotencyKey, endUserId, synthetic, explain }: CallOptions) {
  const header = {
    'X-Idempotency-Key': idempotencyKey ?? crypto.randomUUID(),
    ...(endUserId === undefined ? {} : { 'X-Partner-End-User-Id': endUserId }),
    ...(synthetic === undefined ? {} : { 'X-Service-Synthetic': synthetic }),
    ...(explain === true ? { 'X-Service-Explain': 'true' as const } : {}),
  }
  return { params: { header }, signal: signal ?? null }
}

/** What one try comes to, as openapi-fetch tells it. */
interface Outcome<T> {
  data?: T
  error?: unknown
  response: Response
}

interface Delivered<T> {
  data: NonNullable<T>
  response: Response
}

async function settle<T>(
  request: Promise<Outcome<T>>,
  signal: AbortSignal | undefined,
): Promise<Outcome<T>> {
  return request.catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw new ConnectionError('No whole answer arrived.', { cause })
  })
}

function unwrap<T>({ data, error, response }: Outcome<T>): Delivered<T> {
  if (!response.ok) throw new ProfileServiceError(response, error)
  if (data === undefined || data === null) throw new ConnectionError('The answer is empty.')
  return { data, response }
}
