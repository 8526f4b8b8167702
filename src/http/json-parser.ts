import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../core/service-error.js'
import { AdmissionQueue } from '../inference/workers/admission-queue.js'
import type { Tenant } from '../organizations/tenant.js'
import type { ParsedBody } from './json-thread.js'
import { parseJsonBytes, type JsonBody } from './parse-json-bytes.js'

export interface JsonParser {
  /**
   * Parses a body, which it may take over: the bytes are not to be used again.
   * @throws ServiceError `invalid_request`, `overloaded`; the abort reason
   */
  parse(bytes: Buffer, call: { tenant: Tenant; signal: AbortSignal }): Promise<JsonBody>
}

/** Smaller bodies take the event loop a few milliseconds, less than a message to the thread and back. */
const LARGE_BYTES = 1024 * 1024
/** Large bodies that may wait. */
const MAX_WAITING = 256
const PARSE_TIMEOUT_MS = 30_000
/** An idle thread is ended, which returns its memory. */
const IDLE_MS = 60_000

/** Creates a parser that hands large bodies to a thread, one at a time and in fair order, so that no other request waits for them. */
export function createJsonParser(): JsonParser {
  const queue = new AdmissionQueue({ concurrency: 1, limit: MAX_WAITING })
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function endThread(): void {
    void thread?.terminate()
    thread = undefined
  }

  async function parseInThread(bytes: Buffer, signal: AbortSignal): Promise<JsonBody> {
    clearTimeout(idle)
    thread ??= startThread().once('error', endThread)
    try {
      thread.postMessage(bytes, [bytes.buffer as ArrayBuffer])
      const [answer] = (await once(thread, 'message', { signal })) as [ParsedBody]
      if ('body' in answer) return answer.body
      throw new ServiceError('invalid_request', answer.problem)
    } catch (error) {
      // A thread that failed, or that works on for a client who left, is of no use to the next body.
      if (!(error instanceof ServiceError)) endThread()
      throw signal.aborted || error instanceof ServiceError ? error : failed(error)
    } finally {
      idle = setTimeout(endThread, IDLE_MS).unref()
    }
  }

  return {
    async parse(bytes, { tenant, signal }) {
      if (bytes.length < LARGE_BYTES) return parseJsonBytes(bytes)
      const deadline = Date.now() + PARSE_TIMEOUT_MS
      const call = { signal, deadline, priority: 'match', tenant } as const
      return queue.run(call, (ended) => parseInThread(bytes, ended))
    },
  }
}

function startThread(): Worker {
  // Resolves to the compiled file both from dist and from src, where it runs under jest.
  const entry = new URL('../../dist/http/json-thread.js', import.meta.url)
  const thread = new Worker(entry, { execArgv: [], env: {} })
  thread.unref()
  return thread
}

function failed(cause: unknown): ServiceError {
  return new ServiceError('overloaded', 'The body could not be parsed now. Retry later.', { cause })
}
