/** Largest width times height of a decoded photo. */
export const MAX_PIXELS = 50_000_000

/**
 * Largest AVIF photo: decoders of AVIF hold the whole photo at 17 bytes a pixel, whatever the size of the file. 49 megapixels in 1.4 KB
 * took 1.1 s and a peak of 933 MB in the worker process, 16 megapixels 0.4 s and 360 MB. Phones that write AVIF use 12.
 */
export const MAX_AVIF_PIXELS = 16_000_000

/** Formats that cannot be streamed take up to 17 bytes a pixel, so only one larger photo is decoded at a time. */
export const LARGE_PIXELS = 16_000_000
/** Several photos up to this size may be decoded while the models run: at 17 bytes a pixel one takes 68 MB. */
export const LIGHT_PIXELS = 4_000_000
/** Bytes that decoding a pixel takes at most. */
export const BYTES_PER_PIXEL = 17
/** Longest to shortest side. No photo is narrower, and resizing would enlarge it without bound. */
export const MAX_ASPECT = 100
export const TIMEOUT_SECONDS = 10

/** @param format - as sharp names it; AVIF is `heif` */
export function maxPixelsOf(format: string | undefined): number {
  return format === 'heif' || format === 'avif' ? MAX_AVIF_PIXELS : MAX_PIXELS
}
