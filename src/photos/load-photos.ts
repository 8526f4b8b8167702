import { webcrypto } from 'node:crypto'
import PQueue from 'p-queue'
import type { PhotoFetcher } from './fetch-photo.js'
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

export interface LoadPhotosOptions {
  /** Field of the request, such as `recipient.photos`; begins the error message. */
  label: string
  signal: AbortSignal
}

/**
 * Loads photos in order. The first failure aborts the rest.
 * @throws ServiceError `photo_unavailable` or `invalid_request` naming the photo by index and never by URL, `overloaded`; the reason of `signal` once it aborts
 */
export async function loadPhotos(
  fetcher: PhotoFetcher,
  references: readonly PhotoReference[],
  { label, signal }: LoadPhotosOptions,
): Promise<LoadedPhoto[]> {
  const queue = new PQueue({ concurrency: PHOTO_LIMITS.concurrentPerCall })
  const abort = linkAbort(signal)
  const load = async (reference: PhotoReference, index: number) => {
    try {
      return await loadPhoto(fetcher, reference, abort.signal)
    } catch (error) {
      throw error instanceof PhotoError ? photoServiceError(error, label, index) : error
    }
  }
  try {
    return await Promise.all(
      references.map((reference, index) =>
        queue.add(() => load(reference, index), { signal: abort.signal }),
      ),
    )
  } catch (error) {
    abort.abort(error)
    throw error
  } finally {
    abort.unlink()
  }
}

async function loadPhoto(
  fetcher: PhotoFetcher,
  reference: PhotoReference,
  signal: AbortSignal,
): Promise<LoadedPhoto> {
  const bytes = await fetcher.fetch(reference, { signal })
  if ((await sniffImageFormat(bytes)) === undefined) throw new PhotoError('not_an_image')
  return { bytes, contentHash: await sha256(bytes) }
}

/** Hashes on another thread: 10 MB take 10 ms. */
async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await webcrypto.subtle.digest('SHA-256', bytes)
  return Buffer.from(digest).toString('hex')
}
