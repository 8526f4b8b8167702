import PQueue from 'p-queue'
import sharp, { type Metadata } from 'sharp'
import { MAX_PIXELS } from './decode-limits.js'
import type { Size } from './image-preparation.js'

/** Formats that cannot be streamed take up to 17 bytes a pixel; two large photos must not do so together. */
const LARGE_PIXELS = 16_000_000
/** Of these several may be decoded while the models run: at 17 bytes a pixel one takes 68 MB at most. */
const LIGHT_PIXELS = 4_000_000
/** Longer side to shorter side. No photo is as narrow, and resizing it would widen it without bound. */
const MAX_ASPECT = 100
const TIMEOUT_SECONDS = 10
/**
 * A photo is first reduced to this many times the shorter edge the models need, so that libjpeg and libwebp
 * can skip most of a large one. Worst cosine of clip-lite to Pillow's preparation over nine photos of 12 megapixels:
 * 0.997 at 3 and 0.998 with every pixel decoded, which takes half as much time again; 0.991 at 1.
 */
const OVERSAMPLING = 3

/** A photo that the caller has to replace. `reason` says in a few words what is wrong, without repeating any of it. */
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
  /** Photos decoded at the same time; of those above 16 megapixels always one. */
  threads: number
  /**
   * Photos of up to four megapixels that may be under way at a time. Models run on the thread that hands out the decoding:
   * what is handed out before a run is decoded meanwhile, and the next batch is ready when the run ends.
   */
  ahead: number
  /** Pixels that the models need along the shorter edge. */
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

/** Makes libvips a server's: only the loaders a photo needs, no cache of pixels, one thread a photo. */
function restrictSharp(): void {
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  const loaders = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif']
  sharp.unblock({ operation: loaders.map((loader) => `VipsForeignLoad${loader}Buffer`) })
}

function open(bytes: Uint8Array) {
  // Below 'warning', so that files which merely break a rule pass; one that ends early is an error.
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
    // What people see where a photo is transparent: apps and browsers show it on white.
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

/** What sharp says, and the reason it means; `null` for what is not the photo's fault. */
const REFUSALS: [RegExp, string | null][] = [
  [/out of memory|unable to allocate/i, null],
  [/unsupported|buffer is empty/i, 'not a JPEG, PNG, WebP, AVIF or GIF image'],
  [/exceeds pixel limit/i, `more than ${MAX_PIXELS / 1_000_000} megapixels`],
  [/^timeout/, `more than ${TIMEOUT_SECONDS} seconds to decode`],
]
