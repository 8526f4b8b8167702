import type { Config } from '../config/config.js'
import { ServiceError } from '../core/service-error.js'
import { AdmissionQueue } from '../inference/workers/admission-queue.js'
import { createFairBudget, type BudgetShare } from '../metering/fair-budget.js'
import type { Tenant } from '../organizations/tenant.js'
import { createDownload, hasDefaultPort, type DownloadOptions } from './download.js'
import { decodedSize } from './inline-photo.js'
import { linkAbort } from './linked-abort.js'
import { PHOTO_LIMITS } from './photo-limits.js'
import { PhotoError } from './photo-problem.js'
import type { PhotoReference } from './photo-reference.js'

export interface PhotoFetcher {
  /**
   * Returns the bytes of one photo, at most `PHOTO_LIMITS.maxBytes`, without looking at them. The tenant's downloads wait while as
   * many of them are under way as there are free places.
   * @throws PhotoError naming what is wrong with the photo; ServiceError `overloaded` when it got no place in time, when the
   *   tenant's photos take too much memory, and once closed; the reason of `signal` once it aborts
   */
  fetch(reference: PhotoReference, terms: FetchTerms): Promise<Uint8Array>
  /** Opens the share of one call in the memory for photos; the signal, which aborts at the end of the call, returns it. */
  openShare(tenant: Tenant, signal: AbortSignal): BudgetShare
  /** Time limit for the photos of one call, in milliseconds. */
  timeoutMs: number
  /** Aborts running and waiting downloads; `fetch` fails from now on. */
  close(): void
}

/** What the photos of one call share. */
export interface FetchTerms {
  signal: AbortSignal
  tenant: Tenant
  /** The bytes of the call's photos count against it. */
  share: BudgetShare
  /** By `performance.now()`. */
  endsAt: number
}

export type PhotoFetcherSettings = Pick<
  Config['photos'],
  'allowHttp' | 'allowedCidrs' | 'fetchTimeoutMs' | 'limitBytes'
>

/** The only code of the product that connects to addresses from a request. */
export function createPhotoFetcher(
  settings: PhotoFetcherSettings,
  options: DownloadOptions = {},
): PhotoFetcher {
  const closing = new AbortController()
  const download = createDownload(settings, options)
  const budget = createFairBudget(
    settings.limitBytes,
    'The service is fetching too many large photos. Retry later.',
  )
  const places = new AdmissionQueue({
    concurrency: PHOTO_LIMITS.concurrentDownloads,
    limit: PHOTO_LIMITS.waitingDownloads,
    // A download cannot be taken back from a slow host.
    keepsPlacesFree: 'always',
  })

  async function fetchRemote(
    url: URL,
    { signal, tenant, share, endsAt }: FetchTerms,
  ): Promise<Uint8Array> {
    const abort = linkAbort(signal, closing.signal)
    const enteredAt = performance.now()
    let waitedMs = Infinity
    let hop = url
    // A host that got less than half of the time is not to blame.
    const isFaultOfHost = () => waitedMs < settings.fetchTimeoutMs / 2
    const giveUp = () => abort.abort(isFaultOfHost() ? outOfTime(hop) : noPlace())
    const timer = setTimeout(giveUp, endsAt - performance.now())
    try {
      const call = { signal: abort.signal, deadline: Infinity, priority: 'match', tenant } as const
      const terms = { signal: abort.signal, share, onHop: (next: URL) => (hop = next) }
      return await places.run(call, () => {
        waitedMs = performance.now() - enteredAt
        return download(url, terms)
      })
    } catch (error) {
      abort.signal.throwIfAborted()
      throw error
    } finally {
      clearTimeout(timer)
      abort.unlink()
    }
  }

  return {
    async fetch(reference, terms) {
      terms.signal.throwIfAborted()
      if (reference.kind === 'inline') return decodeInline(reference.base64, terms.share)
      if (reference.url.protocol === 'http:' && !settings.allowHttp) {
        throw new PhotoError('http_not_allowed')
      }
      return fetchRemote(reference.url, terms)
    },
    openShare: (tenant, signal) => budget.open(tenant, signal),
    timeoutMs: settings.fetchTimeoutMs,
    close: () =>
      closing.abort(new ServiceError('overloaded', 'The service is stopping; retry shortly.')),
  }
}

function decodeInline(base64: string, share: BudgetShare): Uint8Array {
  if (decodedSize(base64) > PHOTO_LIMITS.maxBytes) throw new PhotoError('too_large')
  share.add(decodedSize(base64))
  return Buffer.from(base64, 'base64')
}

function outOfTime(url: URL): PhotoError {
  return new PhotoError(hasDefaultPort(url) ? 'timeout' : 'unreachable')
}

function noPlace(): ServiceError {
  return new ServiceError('overloaded', 'The service is fetching too many photos. Retry later.')
}
