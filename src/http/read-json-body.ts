import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import express, { type Request, type Response } from 'express'
import type { BodyBudget } from './body-budget.js'
import { ServiceError } from '../core/service-error.js'

/**
 * Reserved for a body of unknown length until it has arrived. The default budget then has room for 32 such bodies; reserving
 * the largest permitted size would leave room for four.
 */
const UNKNOWN_LENGTH_ALLOWANCE = 8 * 1024 * 1024

export interface JsonBody {
  json: unknown
  /** SHA-256 of the body as it was sent. */
  digest: Buffer
}

/** @param signal - aborts at the end of the call, which releases the body's share of the budget */
export type JsonBodyReader = (
  request: Request,
  response: Response,
  signal: AbortSignal,
) => Promise<JsonBody>

/**
 * Creates a reader of JSON bodies. It runs only for known callers, so that a stranger cannot make the server hold large
 * bodies.
 * @throws ServiceError `unsupported_media_type`, `overloaded` beyond the budget; the errors of the body parser
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
    const json = request.body as unknown
    // The parsed values live as long as the call uses them, not as long as the request.
    request.body = undefined
    return { json, digest }
  }
}

/** Content-Length if known and unencoded, otherwise an allowance. */
function expectedBytes({ headers }: Request, limitBytes: number): number {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers
  const hasKnownLength = length !== undefined && encoding.toLowerCase() === 'identity'
  return Math.min(hasKnownLength ? Number(length) : UNKNOWN_LENGTH_ALLOWANCE, limitBytes)
}
