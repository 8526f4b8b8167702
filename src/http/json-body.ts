import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import express, { type Request, type Response } from 'express'
import type { BodyBudget } from './body-budget.js'
import { ServiceError } from '../core/service-error.js'

/**
 * Counted for a body of unknown size until it is here. With the default budget 32 of them can arrive at a time; the largest
 * permitted size in its place would be four.
 */
const UNTOLD_BYTES = 8 * 1024 * 1024

export interface JsonBody {
  json: unknown
  /** SHA-256 of the body as it was sent. */
  digest: Buffer
}

/** @param signal - aborts at the end of the call, which until then holds the body */
export type JsonBodyReader = (
  request: Request,
  response: Response,
  signal: AbortSignal,
) => Promise<JsonBody>

/**
 * Reads a JSON body when the caller is known and not before, so that a stranger cannot make the server hold large
 * bodies.
 * @throws ServiceError `unsupported_media_type`, `overloaded` beyond the budget, and the errors of the body parser
 */
export function createJsonBodyReader(limitBytes: number, budget: BodyBudget): JsonBodyReader {
  const received = new WeakMap<IncomingMessage, { digest: Buffer; sizeBytes: number }>()
  const parse = express.json({
    limit: limitBytes,
    type: 'application/json',
    strict: false,
    verify: (request, _response, bytes) => {
      const digest = createHash('sha256').update(bytes).digest()
      received.set(request, { digest, sizeBytes: bytes.length })
    },
  })
  return async (request, response, signal) => {
    if (!request.is('application/json')) {
      throw new ServiceError(
        'unsupported_media_type',
        'Send a JSON body with the header `Content-Type: application/json`.',
      )
    }
    const resizeTo = budget.take(expectedBytes(request, limitBytes), signal)
    await new Promise<void>((resolve, reject) => {
      parse(request, response, (error?: unknown) => {
        if (error) reject(error as Error)
        else resolve()
      })
    })
    const { digest, sizeBytes } = received.get(request) ?? { digest: Buffer.alloc(0), sizeBytes: 0 }
    resizeTo(sizeBytes)
    return { json: request.body as unknown, digest }
  }
}

/** Of a length that is told of bodies sent whole; of one that is sent in chunks or packed, an allowance. */
function expectedBytes({ headers }: Request, limitBytes: number): number {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers
  const isTold = length !== undefined && encoding.toLowerCase() === 'identity'
  return Math.min(isTold ? Number(length) : UNTOLD_BYTES, limitBytes)
}
