import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import express, { type Request, type Response } from 'express'
import { ServiceError } from './errors.js'

export interface JsonBody {
  json: unknown
  /** SHA-256 of the body as it was sent. */
  digest: Buffer
}

export type JsonBodyReader = (request: Request, response: Response) => Promise<JsonBody>

/**
 * Reads a JSON body when the caller is known and not before, so that a stranger cannot make the server hold large
 * bodies.
 * @throws ServiceError `unsupported_media_type`, and the errors of the body parser
 */
export function createJsonBodyReader(limitBytes: number): JsonBodyReader {
  const digests = new WeakMap<IncomingMessage, Buffer>()
  const parse = express.json({
    limit: limitBytes,
    type: 'application/json',
    strict: false,
    verify: (request, _response, bytes) => {
      digests.set(request, createHash('sha256').update(bytes).digest())
    },
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
    return { json: request.body as unknown, digest: digests.get(request) ?? Buffer.alloc(0) }
  }
}
