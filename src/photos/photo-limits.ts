import { MAX_AVIF_PIXELS, MAX_PIXELS } from '../inference/encoder/decode-limits.js'

/** Bounds on the photos of a request. */
export const PHOTO_LIMITS = {
  /** Photos of one user or recipient. */
  maxPhotos: 10,
  /** Encoded size of one photo: 10 MiB, so that either reading of "10 MB" fits. */
  maxBytes: 10 * 1024 * 1024,
  /** Width times height of one photo, as decoded. */
  maxPixels: MAX_PIXELS,
  /** The same of an AVIF photo, which costs the decoder most. */
  maxAvifPixels: MAX_AVIF_PIXELS,
  /** Characters of a photo URL. */
  maxUrlLength: 2_048,
  maxRedirects: 3,
  /** Parallel downloads of one field, as many as browsers use for one host. */
  concurrentPerField: 6,
  /** Parallel downloads of the process. */
  concurrentDownloads: 128,
  /** Downloads that may wait for a place. */
  waitingDownloads: 4_096,
} as const
