import { inspect } from 'node:util'
import { photoReferenceSchema } from '../../src/photos/photo-reference.js'
import type { PhotoFetcher, PhotoFetcherSettings } from '../../src/photos/fetch-photo.js'

/** Loopback over `http:`, as a test server needs it. */
export const loopback: PhotoFetcherSettings = {
  allowHttp: true,
  allowedCidrs: ['127.0.0.1/32'],
  fetchTimeoutMs: 5_000,
}

export const never = new AbortController().signal

/** What a fetch rejects with: its `problem` or error code, and everything a log could print of it. */
export async function failureOf(
  fetcher: PhotoFetcher,
  reference: string,
  signal: AbortSignal = never,
): Promise<{ problem: unknown; printed: string }> {
  const parsed = photoReferenceSchema.safeParse(reference)
  if (!parsed.success) return { problem: 'malformed', printed: inspect(parsed.error) }
  try {
    await fetcher.fetch(parsed.data, { signal })
  } catch (error) {
    const { problem, code } = error as { problem?: unknown; code?: unknown }
    const printed = inspect(error, { depth: Infinity, showHidden: true, getters: true })
    return { problem: problem ?? code, printed }
  }
  return { problem: 'none', printed: '' }
}
