import { z } from 'zod'
import { MATCH_CATEGORIES } from '../../../packs/match-section.js'
import { TEXT_RISKS } from '../../../packs/text-risks.js'
import type { PhotoAnalysis, VisionMethods } from '../../encoder/vision.js'
import { bytesOf, readFloats } from '../tensor-formats.js'
import { divide, FrameError, type Frame } from './frame.js'

/** Bounds of one request. What the service sends lies far below: its own limits are those of bodies and profiles. */
const MAX_ITEMS = 4_096
const MAX_TEXT_LENGTH = 1_000_000
const MAX_DIMENSION = 8_192

const lengths = z.array(z.int().min(0)).max(MAX_ITEMS)
const text = z.string().max(MAX_TEXT_LENGTH)
const texts = z.array(text).max(MAX_ITEMS)
const dimension = z.int().min(1).max(MAX_DIMENSION)
const categories = z.object(
  Object.fromEntries(MATCH_CATEGORIES.map((name) => [name, z.number()])) as Record<
    (typeof MATCH_CATEGORIES)[number],
    z.ZodNumber
  >,
)

type Encoded = { json: unknown; parts?: Uint8Array[] }

/** How one method travels. Decoders throw a FrameError or a ZodError for what does not fit. */
interface MethodCodec<Request, Result> {
  encodeRequest: (request: Request) => Encoded
  decodeRequest: (frame: Frame) => Request
  encodeResult: (result: Result) => Encoded
  decodeResult: (frame: Frame) => Result
}

type VisionCodec = {
  [K in keyof VisionMethods]: MethodCodec<VisionMethods[K]['request'], VisionMethods[K]['result']>
}

const outcome = z.union([
  z.object({ nsfw: z.number().min(0).max(1) }),
  z.object({ refused: z.string().max(1_000) }),
])

export const VISION_CODEC: VisionCodec = {
  analyzePhotos: {
    encodeRequest: ({ photos }) => ({
      json: { lengths: photos.map(({ byteLength }) => byteLength) },
      parts: photos,
    }),
    decodeRequest: ({ json, bytes }) => ({
      photos: divide(bytes, z.object({ lengths }).parse(json).lengths),
    }),
    encodeResult: (outcomes) => {
      const seen = outcomes.flatMap((each) => (each.ok ? [each.analysis.embedding] : []))
      return {
        json: {
          dimension: seen[0]?.length ?? 1,
          outcomes: outcomes.map((each) =>
            each.ok ? { nsfw: each.analysis.nsfw } : { refused: each.reason },
          ),
        },
        parts: seen.map(bytesOf),
      }
    },
    decodeResult: ({ json, bytes }) => {
      const parsed = z.object({ dimension, outcomes: z.array(outcome).max(MAX_ITEMS) }).parse(json)
      const seen = parsed.outcomes.filter((each) => 'nsfw' in each)
      const embeddings = divideRows(bytes, seen.length, parsed.dimension)
      return parsed.outcomes.map((each) => {
        if ('refused' in each) return { ok: false, reason: each.refused }
        const analysis: PhotoAnalysis = { embedding: embeddings.shift()!, nsfw: each.nsfw }
        return { ok: true, analysis }
      })
    },
  },
  embedTexts: {
    encodeRequest: (request) => ({ json: request }),
    decodeRequest: ({ json }) => z.object({ texts }).parse(json),
    encodeResult: (embeddings) => ({
      json: { count: embeddings.length, dimension: embeddings[0]?.length ?? 1 },
      parts: embeddings.map(bytesOf),
    }),
    decodeResult: ({ json, bytes }) => {
      const parsed = z.object({ count: z.int().min(0).max(MAX_ITEMS), dimension }).parse(json)
      return divideRows(bytes, parsed.count, parsed.dimension)
    },
  },
  classifyBio: {
    encodeRequest: (request) => ({ json: request }),
    decodeRequest: ({ json }) =>
      z
        .object({
          readings: z
            .array(z.tuple([text], text))
            .min(1)
            .max(MAX_ITEMS),
        })
        .parse(json),
    encodeResult: (classification) => ({ json: classification }),
    decodeResult: ({ json }) =>
      z
        .discriminatedUnion('verdict', [
          z.object({ verdict: z.literal('unsafe'), risks: z.array(z.enum(TEXT_RISKS)).max(100) }),
          z.object({ verdict: z.enum(['unsure', 'harmless']) }),
        ])
        .parse(json),
  },
  scorePairs: {
    encodeRequest: (request) => ({ json: request }),
    decodeRequest: ({ json }) =>
      z.object({ pairs: z.array(z.tuple([text, text])).max(MAX_ITEMS) }).parse(json),
    encodeResult: (scores) => ({ json: { scores } }),
    decodeResult: ({ json }) =>
      z
        .object({
          scores: z.array(z.object({ compatibility: z.number(), categories })).max(MAX_ITEMS),
        })
        .parse(json).scores,
  },
}

/** The number of results that a request must get; undefined where there is always one. */
export function countItems<K extends keyof VisionMethods>(
  request: VisionMethods[K]['request'],
): number | undefined {
  if ('photos' in request) return request.photos.length
  if ('texts' in request) return request.texts.length
  if ('pairs' in request) return request.pairs.length
  return undefined
}

function divideRows(bytes: Uint8Array, count: number, width: number): Float32Array[] {
  if (bytes.byteLength !== count * width * 4) throw new FrameError('a frame has too few rows')
  const rows = readFloats('FP32', bytes)
  return Array.from({ length: count }, (_, row) => rows.slice(row * width, (row + 1) * width))
}
