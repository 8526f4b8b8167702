import { inspect } from 'node:util'
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
  try {
    await fetcher.fetch(reference, { signal })
  } catch (error) {
    const { problem, code } = error as { problem?: unknown; code?: unknown }
    const printed = inspect(error, { depth: Infinity, showHidden: true, getters: true })
    return { problem: problem ?? code, printed }
  }
  return { problem: 'none', printed: '' }
}
