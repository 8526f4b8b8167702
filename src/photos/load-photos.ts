import { webcrypto } from 'node:crypto'
import PQueue from 'p-queue'
import type { Tenant } from '../organizations/tenant.js'
import type { FetchTerms, PhotoFetcher } from './fetch-photo.js'
import { linkAbort } from './linked-abort.js'
import { PHOTO_LIMITS } from './photo-limits.js'
import { PhotoError, photoServiceError } from './photo-problem.js'
import type { PhotoReference } from './photo-reference.js'
import { sniffImageFormat } from './sniff-image-format.js'

export interface LoadedPhoto {
  /** An encoded image whose first bytes are those of an accepted format. */
  bytes: Uint8Array
  /** SHA-256 of the bytes, in hex. */
  contentHash: string
}

/** The photos of a request by their field, such as `recipient.photos`; errors name it. */
export type PhotosByField = Readonly<Record<string, readonly PhotoReference[]>>

/** The fetched photos of a request by their field, in order. */
export type LoadedPhotos = ReadonlyMap<string, readonly LoadedPhoto[]>

/**
 * Loads all photos of a call, those of every field in order. They share one time limit, and the first failure aborts the rest.
 * @throws ServiceError `photo_unavailable` or `invalid_request` naming the photo by field and index and never by URL,
 *   `overloaded`; the reason of `signal` once it aborts
 */
export async function loadPhotos(
  fetcher: PhotoFetcher,
  references: PhotosByField,
  { signal, tenant }: { signal: AbortSignal; tenant: Tenant },
): Promise<LoadedPhotos> {
  const abort = linkAbort(signal)
  const terms: FetchTerms = {
    signal: abort.signal,
    tenant,
    share: fetcher.openShare(tenant, signal),
    endsAt: performance.now() + fetcher.timeoutMs,
  }
  try {
    const fields = Object.entries(references).map(
      async ([field, ofField]) =>
        [field, await loadField(fetcher, { field, ofField }, terms)] as const,
    )
    return new Map(await Promise.all(fields))
  } catch (error) {
    abort.abort(error)
    throw error
  } finally {
    abort.unlink()
  }
}

async function loadField(
  fetcher: PhotoFetcher,
  { field, ofField }: { field: string; ofField: readonly PhotoReference[] },
  terms: FetchTerms,
): Promise<LoadedPhoto[]> {
  const queue = new PQueue({ concurrency: PHOTO_LIMITS.concurrentPerField })
  const load = async (reference: PhotoReference, index: number) => {
    try {
      return await loadPhoto(fetcher, reference, terms)
    } catch (error) {
      throw error instanceof PhotoError ? photoServiceError(error, field, index) : error
    }
  }
  return Promise.all(
    ofField.map((reference, index) =>
      queue.add(() => load(reference, index), { signal: terms.signal }),
    ),
  )
}

async function loadPhoto(
  fetcher: PhotoFetcher,
  reference: PhotoReference,
  terms: FetchTerms,
): Promise<LoadedPhoto> {
  const bytes = await fetcher.fetch(reference, terms)
  if ((await sniffImageFormat(bytes)) === undefined) throw new PhotoError('not_an_image')
  return { bytes, contentHash: await sha256(bytes) }
}

/** Hashes on another thread: 10 MB take 10 ms. */
async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await webcrypto.subtle.digest('SHA-256', bytes)
  return Buffer.from(digest).toString('hex')
}
