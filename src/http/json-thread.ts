import { parentPort } from 'node:worker_threads'
import { toServiceError } from '../core/to-service-error.js'
import { parseJsonBytes, type JsonBody } from './parse-json-bytes.js'

/** Answer of the thread to one body. */
export type ParsedBody = { body: JsonBody } | { problem: string }

/** Entry point of the thread that parses large bodies, one after the other. */
parentPort?.on('message', (bytes: Uint8Array) => {
  parentPort?.postMessage(parseOrExplain(bytes))
})

function parseOrExplain(bytes: Uint8Array): ParsedBody {
  try {
    return { body: parseJsonBytes(bytes) }
  } catch (error) {
    // Its code is always `invalid_request`, which is all that a refused body can be.
    return { problem: toServiceError(error).message }
  }
}
