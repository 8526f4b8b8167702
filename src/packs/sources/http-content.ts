import type { Response } from 'got'

type Headers = Response['headers']

export interface ContentSpan {
  /** Offset in the file of the response's first byte. */
  startBytes: number
  /** Size of the whole file, if the server states it. */
  totalBytes: number | undefined
}

/**
 * Returns which part of the file a response contains; undefined for a 206 without a valid Content-Range.
 * Source: RFC 9110, 14.4
 */
export function contentSpan(status: number, headers: Headers): ContentSpan | undefined {
  if (status !== 206) {
    return { startBytes: 0, totalBytes: toInteger(headers['content-length']) }
  }
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '')
  if (!range) return undefined
  return { startBytes: Number(range[1]), totalBytes: toInteger(range[2]) }
}

/** Returns the size of the whole file from a 416 response: a partial file of that size is complete. */
export function unsatisfiedTotal(headers: Headers): number | undefined {
  return toInteger(/^bytes \*\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1])
}

/** Returns the validator for If-Range: a strong ETag, or else the Last-Modified date. */
export function contentValidator(headers: Headers): string | undefined {
  const { etag } = headers
  if (etag?.startsWith('"')) return etag
  return headers['last-modified']
}

/** Returns the sha256 that the Hub publishes for a file in large-file storage; other files have a git hash instead. */
export function publishedSha256(headers: Headers): string | undefined {
  const linked = headers['x-linked-etag'] ?? headers.etag
  return /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(String(linked ?? ''))?.[1]
}

function toInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}
