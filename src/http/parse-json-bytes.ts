import { createHash } from 'node:crypto'
import { ServiceError } from '../core/service-error.js'
import { checkJsonStructure } from './check-json-structure.js'

export interface JsonBody {
  json: unknown
  /** SHA-256 of the body after decompression. */
  digest: Uint8Array
}

/** Ignores a byte order mark. */
const utf8 = new TextDecoder()

/**
 * Parses a body; an empty one reads as an empty object, so that the answer names the fields that are missing.
 * @throws ServiceError `invalid_request`
 */
export function parseJsonBytes(bytes: Uint8Array): JsonBody {
  checkJsonStructure(bytes)
  return { json: parse(bytes), digest: createHash('sha256').update(bytes).digest() }
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {}
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new ServiceError('invalid_request', 'The body is not valid JSON.')
  }
}
