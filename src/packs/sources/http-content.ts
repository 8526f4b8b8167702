import type { Response } from 'got'

type Headers = Response['headers']

export interface ContentSpan {
  /** Position in the file of the first byte of the answer. */
  startBytes: number
  /** Length of the whole file, where the server says it. */
  totalBytes: number | undefined
}

/**
 * Which part of the file an answer carries, or undefined when a 206 does not say it as RFC 9110, 14.4 asks.
 */
export function contentSpan(status: number, headers: Headers): ContentSpan | undefined {
  if (status !== 206) {
    return { startBytes: 0, totalBytes: toInteger(headers['content-length']) }
  }
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '')
  if (!range) return undefined
  return { startBytes: Number(range[1]), totalBytes: toInteger(range[2]) }
}

/** Length of the whole file as a 416 answer says it: all of it is there already when that many bytes are. */
export function unsatisfiedTotal(headers: Headers): number | undefined {
  return toInteger(/^bytes \*\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1])
}

/** What If-Range may be sent to continue the same content: a strong ETag, or else the date of change. */
export function contentValidator(headers: Headers): string | undefined {
  const { etag } = headers
  if (etag?.startsWith('"')) return etag
  return headers['last-modified']
}

/**
 * The sha256 the hub gives for a file kept in large-file storage. Other files carry a git hash there, which
 * is none.
 */
export function publishedSha256(headers: Headers): string | undefined {
  const linked = headers['x-linked-etag'] ?? headers.etag
  return /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(String(linked ?? ''))?.[1]
}

function toInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}
