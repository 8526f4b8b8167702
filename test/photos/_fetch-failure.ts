import { inspect } from 'node:util'
import { photoReferenceSchema, type PhotoReference } from '../../src/photos/photo-reference.js'
import type { PhotoFetcher, PhotoFetcherSettings } from '../../src/photos/fetch-photo.js'

const TENANT = { id: 'org live', weight: 1 }

/** Loopback over `http:`, as a test server needs it. */
export const loopback: PhotoFetcherSettings = {
  allowHttp: true,
  allowedCidrs: ['127.0.0.1/32'],
  fetchTimeoutMs: 5_000,
  limitBytes: 512 * 1024 * 1024,
}

export const never = new AbortController().signal

/** Fetches one photo as a call of its own. */
export async function fetchPhoto(
  fetcher: PhotoFetcher,
  reference: PhotoReference,
  signal: AbortSignal,
  tenant = TENANT,
): Promise<Uint8Array> {
  const call = new AbortController()
  const share = fetcher.openShare(tenant, call.signal)
  const endsAt = performance.now() + fetcher.timeoutMs
  try {
    return await fetcher.fetch(reference, { signal, tenant, share, endsAt })
  } finally {
    call.abort()
  }
}

/** What a fetch rejects with: its `problem` or error code, and everything a log could print of it. */
export async function failureOf(
  fetcher: PhotoFetcher,
  reference: string,
  signal: AbortSignal = never,
): Promise<{ problem: unknown; printed: string }> {
  const parsed = photoReferenceSchema.safeParse(reference)
  if (!parsed.success) return { problem: 'malformed', printed: inspect(parsed.error) }
  try {
    await fetchPhoto(fetcher, parsed.data, signal)
  } catch (error) {
    const { problem, code } = error as { problem?: unknown; code?: unknown }
    const printed = inspect(error, { depth: Infinity, showHidden: true, getters: true })
    return { problem: problem ?? code, printed }
  }
  return { problem: 'none', printed: '' }
}
