import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ServiceError } from '../core/service-error.js'
import type { BudgetShare } from '../metering/fair-budget.js'

const FIRST_CAPACITY = 16 * 1024

/**
 * How many times its size a compressed body may expand to: texts expand about five times, photos hardly. A few kilobytes that stand
 * for many megabytes would cost the sender nothing and the server half a second.
 */
const MAX_EXPANSION = 20
/** Up to here a body may be as dense as it likes. */
const FREE_EXPANSION_BYTES = 1024 * 1024

const DECOMPRESSORS = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const

/**
 * Reads and decompresses a body. Every byte is charged to the share before it is kept, and reading ends at the limit: what a
 * compressed body would expand to beyond it is never produced. The rest is discarded, so that the
 * connection serves further requests.
 * @throws ServiceError `payload_too_large`, `unsupported_media_type`, `invalid_request` for a body that ends early or is damaged,
 *   and what `share.add` throws
 */
export async function readBodyBytes(
  request: IncomingMessage,
  { limitBytes, share }: { limitBytes: number; share: BudgetShare },
): Promise<Buffer> {
  const source = decompress(request)
  let bytes: Buffer = Buffer.alloc(0)
  let size = 0
  const append = (chunk: Buffer) => {
    if (size + chunk.length > limitBytes) throw tooLarge()
    if (size + chunk.length > maxExpandedBytes(source)) throw tooDense()
    share.add(chunk.length)
    // One buffer that doubles: a body sent byte by byte must not become an array of millions.
    if (size + chunk.length > bytes.length) bytes = enlarge(bytes, size, size + chunk.length)
    chunk.copy(bytes, size)
    size += chunk.length
  }
  try {
    await forEachChunk(source, append)
    return bytes.subarray(0, size)
  } catch (error) {
    throw error instanceof ServiceError ? error : damaged(error)
  } finally {
    request.unpipe()
    if (source !== request) source.destroy()
    // Node discards the rest of a body only if nothing of it was read, and the next request on the connection stands behind it.
    request.resume()
  }
}

/** Half the cost of an async iterator for a small body, and leaves the stream open when `take` throws. */
function forEachChunk(source: Readable, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      source.off('data', onData).off('end', onEnd).off('error', settle).off('close', onClose)
      source.pause()
      if (error === undefined) resolve()
      else reject(error as Error)
    }
    const onData = (chunk: Buffer) => {
      try {
        take(chunk)
      } catch (error) {
        settle(error)
      }
    }
    const onEnd = () => settle()
    const onClose = () => settle(new Error('The connection was closed.'))
    source.on('data', onData).on('end', onEnd).on('error', settle).on('close', onClose)
  })
}

/** How large the body may be by what has arrived of it; `bytesWritten` of a decompressor counts compressed bytes. */
function maxExpandedBytes(source: Readable & { bytesWritten?: number }): number {
  if (source.bytesWritten === undefined) return Infinity
  return Math.max(FREE_EXPANSION_BYTES, MAX_EXPANSION * source.bytesWritten)
}

function decompress(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return request
  if (!Object.hasOwn(DECOMPRESSORS, encoding)) {
    throw new ServiceError(
      'unsupported_media_type',
      'Send UTF-8 JSON, uncompressed or compressed with gzip, deflate or br.',
    )
  }
  const decompressor = DECOMPRESSORS[encoding as keyof typeof DECOMPRESSORS]()
  // `pipe` does not pass errors on, and `pipeline` would close the connection before the answer.
  request.once('error', (error) => decompressor.destroy(error))
  return request.pipe(decompressor)
}

function enlarge(bytes: Buffer, size: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(FIRST_CAPACITY, needed, 2 * bytes.length))
  bytes.copy(larger, 0, 0, size)
  return larger
}

/** For a body whose Content-Length or content exceeds the limit. */
export function tooLarge(): ServiceError {
  return new ServiceError('payload_too_large', 'The body is larger than this endpoint accepts.')
}

function tooDense(): ServiceError {
  return new ServiceError(
    'payload_too_large',
    `The compressed body expands to more than ${MAX_EXPANSION} times its size. Send it uncompressed.`,
  )
}

function damaged(cause: unknown): ServiceError {
  return new ServiceError('invalid_request', 'The body ended early or could not be decoded.', {
    cause,
  })
}
