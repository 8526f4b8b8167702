import PQueue from 'p-queue'
import sharp, { type Metadata } from 'sharp'
import { MAX_PIXELS } from './decode-limits.js'
import type { Size } from './image-preparation.js'

/** Formats that cannot be streamed take up to 17 bytes a pixel, so only one larger photo is decoded at a time. */
const LARGE_PIXELS = 16_000_000
/** Several photos up to this size may be decoded while the models run: at 17 bytes a pixel one takes 68 MB. */
const LIGHT_PIXELS = 4_000_000
/** Longest to shortest side. No photo is narrower, and resizing would enlarge it without bound. */
const MAX_ASPECT = 100
const TIMEOUT_SECONDS = 10
/**
 * Photos are first reduced to this multiple of the shorter edge that the models need, so that libjpeg and libwebp skip most of a large
 * one. Worst cosine of clip-lite to Pillow's preparation over nine photos of 12 megapixels:
 * 0.997 at 3 and 0.998 with every pixel decoded, which takes half as much time again; 0.991 at 1.
 */
const OVERSAMPLING = 3

/** A photo that the caller must replace; `reason` describes the problem without quoting the photo. */
export class PhotoRefusal extends Error {
  override readonly name = 'PhotoRefusal'
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

/** An upright photo in sRGB on white. */
export interface DecodedPhoto extends Size {
  /** [height, width, 3] uint8, RGB. */
  pixels: Uint8Array
  /** Upright size before the reduction. */
  source: Size
}

export interface PhotoDecoder {
  /**
   * Decodes the first frame of a JPEG, PNG, WebP, AVIF or GIF image.
   * @throws PhotoRefusal
   * @throws the abort reason when the signal aborts before decoding begins
   */
  decode(bytes: Uint8Array, signal: AbortSignal): Promise<DecodedPhoto>
}

export interface PhotoDecoderOptions {
  /** Photos decoded at the same time; above 16 megapixels one. */
  threads: number
  /**
   * Photos of up to four megapixels in progress at a time. Models run on the thread that schedules decoding, so photos scheduled
   * before a run are decoded during it, and the next batch is ready when the run ends.
   */
  ahead: number
  /** Shorter edge that the models need, in pixels. */
  shorterEdge: number
}

export function createPhotoDecoder(options: PhotoDecoderOptions): PhotoDecoder {
  restrictSharp()
  const workingEdge = options.shorterEdge * OVERSAMPLING
  const light = new PQueue({ concurrency: Math.max(options.threads, options.ahead) })
  const small = new PQueue({ concurrency: options.threads })
  const large = new PQueue({ concurrency: 1 })

  function queueOf({ width, height }: Size): PQueue {
    const pixels = width * height
    if (pixels <= LIGHT_PIXELS) return light
    return pixels <= LARGE_PIXELS ? small : large
  }

  return {
    decode: async (bytes, signal) => {
      try {
        const source = uprightSize(await open(bytes).metadata())
        return await queueOf(source).add(() => {
          signal.throwIfAborted()
          return decodeTo(workingEdge, bytes, source)
        })
      } catch (error) {
        signal.throwIfAborted()
        throw asRefusal(error)
      }
    },
  }
}

/** Configures libvips for a server: only the loaders that photos need, no pixel cache, one thread a photo. */
function restrictSharp(): void {
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  const loaders = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif']
  sharp.unblock({ operation: loaders.map((loader) => `VipsForeignLoad${loader}Buffer`) })
}

function open(bytes: Uint8Array) {
  // Files that only violate the format pass; truncated ones are errors.
  return sharp(bytes, {
    limitInputPixels: MAX_PIXELS,
    failOn: 'error',
    autoOrient: true,
  })
}

function uprightSize({ autoOrient: { width, height } }: Metadata): Size {
  if (Math.max(width, height) > MAX_ASPECT * Math.min(width, height)) {
    throw new PhotoRefusal(`more than ${MAX_ASPECT} times as long as wide`)
  }
  return { width, height }
}

async function decodeTo(edge: number, bytes: Uint8Array, source: Size): Promise<DecodedPhoto> {
  const image = open(bytes)
    .timeout({ seconds: TIMEOUT_SECONDS })
    // Apps and browsers show transparent photos on white.
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .removeAlpha()
  if (Math.min(source.width, source.height) > edge) {
    image.resize({ width: edge, height: edge, fit: 'outside', kernel: 'cubic' })
  }
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { pixels: data, width: info.width, height: info.height, source }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof PhotoRefusal || !(error instanceof Error)) return error
  const reason = REFUSALS.find(([message]) => message.test(error.message))?.[1]
  return reason === null
    ? error
    : new PhotoRefusal(reason ?? 'damaged or cut off', { cause: error })
}

/** Messages of sharp and the reason for the caller; `null` when the photo is not at fault. */
const REFUSALS: [RegExp, string | null][] = [
  [/out of memory|unable to allocate/i, null],
  [/unsupported|buffer is empty/i, 'not a JPEG, PNG, WebP, AVIF or GIF image'],
  [/exceeds pixel limit/i, `more than ${MAX_PIXELS / 1_000_000} megapixels`],
  [/^timeout/, `more than ${TIMEOUT_SECONDS} seconds to decode`],
]
