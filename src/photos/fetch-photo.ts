import PQueue from 'p-queue'
import { ServiceError } from '../core/service-error.js'
import type { Config } from '../config/config.js'
import { createDownload, type DownloadOptions } from './download.js'
import { decodedSize } from './inline-photo.js'
import { linkAbort } from './linked-abort.js'
import { PHOTO_LIMITS } from './photo-limits.js'
import { PhotoError } from './photo-problem.js'
import type { PhotoReference } from './photo-reference.js'

export interface PhotoFetcher {
  /**
   * Returns the bytes of one photo, at most `PHOTO_LIMITS.maxBytes`, without looking at them. Waits while the process has
   * `PHOTO_LIMITS.concurrentDownloads` downloads under way.
   * @throws PhotoError naming what is wrong with the photo; ServiceError `overloaded` once closed; the reason of `signal` once it aborts
   */
  fetch(reference: PhotoReference, options: { signal: AbortSignal }): Promise<Uint8Array>
  /** Aborts running and waiting downloads; `fetch` fails from now on. */
  close(): void
}

export type PhotoFetcherSettings = Pick<
  Config['photos'],
  'allowHttp' | 'allowedCidrs' | 'fetchTimeoutMs'
>

/** The only code of the product that connects to addresses from a request. */
export function createPhotoFetcher(
  settings: PhotoFetcherSettings,
  options: DownloadOptions = {},
): PhotoFetcher {
  const closing = new AbortController()
  const download = createDownload(settings, options)
  const queue = new PQueue({ concurrency: PHOTO_LIMITS.concurrentDownloads })

  async function fetchRemote(url: URL, signal: AbortSignal): Promise<Uint8Array> {
    const abort = linkAbort(signal, closing.signal)
    const downloadInTime = async () => {
      const giveUp = () => abort.abort(new PhotoError('timeout'))
      const timer = setTimeout(giveUp, settings.fetchTimeoutMs)
      return await download(url, abort.signal).finally(() => clearTimeout(timer))
    }
    try {
      return await queue.add(downloadInTime, { signal: abort.signal })
    } catch (error) {
      abort.signal.throwIfAborted()
      throw error
    } finally {
      abort.unlink()
    }
  }

  return {
    async fetch(reference, { signal }) {
      signal.throwIfAborted()
      if (reference.kind === 'inline') return decodeInline(reference.base64)
      if (reference.url.protocol === 'http:' && !settings.allowHttp) {
        throw new PhotoError('http_not_allowed')
      }
      return fetchRemote(reference.url, signal)
    },
    close: () =>
      closing.abort(new ServiceError('overloaded', 'The service is stopping; retry shortly.')),
  }
}

function decodeInline(base64: string): Uint8Array {
  if (decodedSize(base64) > PHOTO_LIMITS.maxBytes) throw new PhotoError('too_large')
  return Buffer.from(base64, 'base64')
}
