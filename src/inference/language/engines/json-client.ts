import type { z } from 'zod'
import type { EngineClient, EngineResponse } from '../../engines/engine-client.js'
import { EngineError, failureOfStatus } from '../../engines/engine-error.js'

/** An answer of 64 tokens with their probabilities has some 30 kB. */
const MAX_ANSWER_BYTES = 1_000_000

export interface JsonRequest {
  /** Sent as JSON with POST; undefined: GET. */
  body?: object
  /** See `EngineRequest`. */
  ownConnection?: boolean
  signal: AbortSignal
}

/** Requests to one completions server. Aborting the signal closes the connection, at which engines stop to generate. */
export interface JsonClient {
  /**
   * @throws EngineError
   * @throws the abort reason
   */
  json: <T>(path: string, schema: z.ZodType<T>, request: JsonRequest) => Promise<T>
  /**
   * The data of each server-sent event, as JSON.
   * @throws EngineError
   * @throws the abort reason
   */
  events: <T>(path: string, schema: z.ZodType<T>, request: JsonRequest) => Promise<T[]>
}

export function createJsonClient(client: EngineClient): JsonClient {
  async function request(path: string, { body, ...options }: JsonRequest): Promise<string> {
    const common = { path, maxBytes: MAX_ANSWER_BYTES, ...options }
    const response = await client.send(
      body
        ? {
            ...common,
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: [Buffer.from(JSON.stringify(body))],
          }
        : { ...common, method: 'GET' },
    )
    return readText(path, response)
  }

  return {
    json: async (path, schema, options) => parse(path, schema, await request(path, options)),
    events: async (path, schema, options) => {
      const text = await request(path, options)
      return text
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:') && line !== 'data: [DONE]')
        .map((line) => parse(path, schema, line.slice('data:'.length)))
    },
  }
}

function readText(path: string, { status, body }: EngineResponse): string {
  if (status === 200) return body.toString('utf8')
  // The body of a failure may quote the request.
  throw new EngineError(failureOfStatus(status), describeStatus(path, status))
}

function parse<T>(path: string, schema: z.ZodType<T>, text: string): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new EngineError('malformed', `${path}: the answer is not JSON`)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map((issue) => issue.path.join('.')).slice(0, 5)
  throw new EngineError(
    'malformed',
    `${path}: the answer lacks or garbles ${fields.join(', ') || 'all fields'}`,
  )
}

function describeStatus(path: string, status: number): string {
  switch (status) {
    case 400:
    case 422:
      return `${path}: HTTP ${status}: the engine refuses a field, or the text is too long for it; see its log and LANGUAGE_ENGINE`
    case 401:
    case 403:
      return `${path}: HTTP ${status}: the engine refuses the key in LANGUAGE_API_KEY_FILE`
    case 404:
      return `${path}: HTTP 404: see LANGUAGE_URL, LANGUAGE_ENGINE and LANGUAGE_MODEL`
    default:
      return `${path}: HTTP ${status}`
  }
}
