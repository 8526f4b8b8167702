import PQueue from 'p-queue'
import sharp, { type Metadata } from 'sharp'
import { classifyDecodeError, MemoryShortage, PhotoRefusal } from './decode-errors.js'
import {
  LARGE_PIXELS,
  LIGHT_PIXELS,
  MAX_ASPECT,
  MAX_PIXELS,
  maxPixelsOf,
  TIMEOUT_SECONDS,
} from './decode-limits.js'
import type { Size } from './image-preparation.js'

/**
 * Photos are first reduced to this multiple of the shorter edge that the models need, so that libjpeg and libwebp skip most of a large
 * one. Worst cosine of clip-lite to Pillow's preparation over nine photos of 12 megapixels:
 * 0.997 at 3 and 0.998 with every pixel decoded, which takes half as much time again; 0.991 at 1.
 */
const OVERSAMPLING = 3

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
   * @throws PhotoRefusal when the photo is at fault
   * @throws MemoryShortage when memory was short twice
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
      const source = await attempt(0, signal, async () => sizeOf(await open(bytes).metadata()))
      const pixels = source.width * source.height
      const decodeIn = (queue: PQueue) =>
        queue.add(() => {
          signal.throwIfAborted()
          return attempt(pixels, signal, () => decodeTo(workingEdge, bytes, source))
        })
      try {
        return await decodeIn(queueOf(source))
      } catch (error) {
        if (!(error instanceof MemoryShortage)) throw error
        // Beside fewer other photos it may fit.
        return decodeIn(large)
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

/** Runs a step of decoding, and says by its error whether the photo is at fault. */
async function attempt<T>(pixels: number, signal: AbortSignal, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    signal.throwIfAborted()
    throw classifyDecodeError(error, pixels)
  }
}

/** The upright size, if it is acceptable. */
function sizeOf({ format, autoOrient: { width, height } }: Metadata): Size {
  const maxPixels = maxPixelsOf(format)
  if (width * height > maxPixels) {
    throw new PhotoRefusal(`more than ${maxPixels / 1_000_000} megapixels, as AVIF`)
  }
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
