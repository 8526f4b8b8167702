import PQueue from 'p-queue'
import { ServiceError } from '../core/service-error.js'
import type { Config } from '../config/config.js'
import { createDownload, type DownloadOptions } from './download.js'
import { decodedSize } from './inline-photo.js'
import { linkAbort } from './linked-abort.js'
import { PHOTO_LIMITS } from './photo-limits.js'
import { PhotoError } from './photo-problem.js'
import { parsePhotoReference } from './photo-url.js'

export interface PhotoFetcher {
  /**
   * The bytes behind one photo reference, at most `PHOTO_LIMITS.maxBytes`, whatever they turn out to be. Waits while
   * as many downloads are under way as the process may have.
   * @throws PhotoError naming what is wrong with the photo; ServiceError `overloaded` once closed; the reason of `signal` once it aborts
   */
  fetch(reference: string, options: { signal: AbortSignal }): Promise<Uint8Array>
  /** Ends the downloads under way and those that wait; `fetch` fails from now on. */
  close(): void
}

export type PhotoFetcherSettings = Pick<
  Config['photos'],
  'allowHttp' | 'allowedCidrs' | 'fetchTimeoutMs'
>

/** The only place of the product that connects to addresses a request names. */
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
      const parsed = parsePhotoReference(reference)
      switch (parsed.kind) {
        case 'refused':
          throw new PhotoError('malformed')
        case 'inline':
          return decodeInline(parsed.base64)
        case 'remote':
          if (parsed.url.protocol === 'http:' && !settings.allowHttp) {
            throw new PhotoError('http_not_allowed')
          }
          return fetchRemote(parsed.url, signal)
      }
    },
    close: () =>
      closing.abort(new ServiceError('overloaded', 'The service is stopping; retry shortly.')),
  }
}

function decodeInline(base64: string): Uint8Array {
  if (decodedSize(base64) > PHOTO_LIMITS.maxBytes) throw new PhotoError('too_large')
  return Buffer.from(base64, 'base64')
}
