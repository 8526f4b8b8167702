import { BYTES_PER_PIXEL, MAX_PIXELS, TIMEOUT_SECONDS } from './decode-limits.js'

/** A photo that the caller must replace; `reason` describes the problem without quoting the photo. */
export class PhotoRefusal extends Error {
  override readonly name = 'PhotoRefusal'
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

/** The photo could not be decoded because the worker had no memory for it; the caller may send it again. */
export class MemoryShortage extends Error {
  override readonly name = 'MemoryShortage'
}

/**
 * Whose fault it is that a photo was not decoded. The photo's only if a decoder says so: everything else, and everything that this
 * process has no memory for, is a failure of the service.
 * @param pixels - of the photo, 0 if unknown
 * @returns PhotoRefusal, MemoryShortage, or the error itself
 */
export function classifyDecodeError(error: unknown, pixels: number): unknown {
  if (error instanceof PhotoRefusal || !(error instanceof Error)) return error
  const { message } = error
  const refusal = REFUSALS.find(([pattern]) => pattern.test(message))?.[1]
  if (refusal !== undefined) return new PhotoRefusal(refusal, { cause: error })
  if (SHORTAGE.test(message)) return new MemoryShortage('no memory', { cause: error })
  if (!DAMAGE.test(message)) return error
  if (!hasMemoryFor(pixels)) return new MemoryShortage('no memory', { cause: error })
  return new PhotoRefusal('damaged or cut off', { cause: error })
}

/** Messages of sharp that name a fault, and what the caller reads. libheif's limits are about the file. */
const REFUSALS: [RegExp, string][] = [
  [/security limit/i, 'damaged or cut off'],
  [/unsupported image format|buffer is empty/i, 'not a JPEG, PNG, WebP, AVIF or GIF image'],
  [/exceeds pixel limit/i, `more than ${MAX_PIXELS / 1_000_000} megapixels`],
  [/^timeout/, `more than ${TIMEOUT_SECONDS} seconds to decode`],
]

/** Messages of libvips, libjpeg, libheif and C++ about memory. */
const SHORTAGE =
  /out of memory|insufficient memory|memory allocation error|unable to allocate|allocation failed|bad_alloc/i

/**
 * How messages of sharp, and of its decoders about a file, begin. sharp says "Unknown error" where libpng stops without a message, and
 * decoders may say the same of a damaged file as of missing memory.
 */
const DAMAGE =
  /^(input (buffer|image|file)|vipsjpeg|vipspng|pngload|spng|libpng|gifload|webp|heif|avif|source: bad seek|VipsForeignLoad|vips2|unknown error$|bad seek)/im

/** What a decoder may need beside the pixels, or to read a header, and more than a process at its limit happens to have free. */
const DECODER_BYTES = 32 * 1024 ** 2

/** Reserves what decoding may have needed, and frees it at once. Nothing is written, so it takes no time. */
function hasMemoryFor(pixels: number): boolean {
  try {
    return new ArrayBuffer(DECODER_BYTES + pixels * BYTES_PER_PIXEL).byteLength > 0
  } catch {
    return false
  }
}
