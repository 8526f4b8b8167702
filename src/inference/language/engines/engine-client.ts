import type { z } from 'zod'
import { EngineError } from './engine-error.js'

/** An answer of 64 tokens with their probabilities has some 30 kB. */
const MAX_ANSWER_BYTES = 1_000_000

export interface EngineRequest {
  /** Sent as JSON with POST; undefined: GET. */
  body?: object
  /** Asks for a connection that is not used again. */
  closes?: boolean
  signal: AbortSignal
}

/** Requests to one engine. Aborting the signal closes the connection, at which engines stop to generate. */
export interface EngineClient {
  /**
   * @throws EngineError
   * @throws the abort reason
   */
  json: <T>(path: string, schema: z.ZodType<T>, request: EngineRequest) => Promise<T>
  /**
   * The data of each server-sent event, as JSON.
   * @throws EngineError
   * @throws the abort reason
   */
  events: <T>(path: string, schema: z.ZodType<T>, request: EngineRequest) => Promise<T[]>
}

/** @param baseUrl - without a trailing slash */
export function createEngineClient(baseUrl: string, apiKey: string | undefined): EngineClient {
  async function request(path: string, { body, closes, signal }: EngineRequest): Promise<string> {
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          ...(body && { 'Content-Type': 'application/json' }),
          ...(closes && { Connection: 'close' }),
          ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
        // A redirect could lead texts and key elsewhere.
        redirect: 'error',
        signal,
      })
      if (response.status !== 200) {
        // The body may quote the request.
        await response.body?.cancel()
        throw new EngineError('refused', describeStatus(path, response.status), {
          status: response.status,
        })
      }
      return await readBounded(path, response)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof EngineError) throw error
      throw new EngineError('connection', `${path}: ${describeCause(error)}`, { cause: error })
    }
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

async function readBounded(path: string, response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    // Leaving the loop cancels the rest.
    if (bytes > MAX_ANSWER_BYTES) {
      throw new EngineError('malformed', `${path}: more than ${MAX_ANSWER_BYTES} bytes`)
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
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

/** A code such as ECONNREFUSED; messages may contain addresses. */
function describeCause(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'the connection failed'
}
