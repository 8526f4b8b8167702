import { MAX_PIXELS } from '../inference/encoder/decode-limits.js'

/** Bounds on the photos of a request. */
export const PHOTO_LIMITS = {
  /** Photos of one user or recipient. */
  maxPhotos: 10,
  /** Encoded size of one photo: 10 MiB, so that either reading of "10 MB" fits. */
  maxBytes: 10 * 1024 * 1024,
  /** Width times height of one photo, as decoded. */
  maxPixels: MAX_PIXELS,
  /** Characters of a photo URL. */
  maxUrlLength: 2_048,
  maxRedirects: 3,
  /** Parallel downloads of one call, as many as browsers use for one host. */
  concurrentPerCall: 6,
  /** Parallel downloads of the process; with `maxBytes` this bounds their memory. */
  concurrentDownloads: 128,
} as const
