import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'

/** A body as it is sent, with the encoding that it claims. */
export interface EncodedBody {
  bytes: Buffer
  encoding: string | undefined
}

const { BROTLI_PARAM_QUALITY } = constants

const COMPRESS = {
  identity: (bytes: Buffer) => bytes,
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 1 }),
  deflate: (bytes: Buffer) => deflateSync(bytes, { level: 1 }),
  raw: (bytes: Buffer) => deflateRawSync(bytes, { level: 1 }),
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [BROTLI_PARAM_QUALITY]: 1 } }),
  twice: (bytes: Buffer) => gzipSync(gzipSync(bytes)),
} as const

type Compression = keyof typeof COMPRESS
const COMPRESSIONS = Object.keys(COMPRESS) as Compression[]
const ENCODINGS = ['gzip', 'deflate', 'br', 'identity', 'zstd', 'gzip, gzip', 'x', '', '__proto__']

/** Damage to any bytes: bits flipped, a part cut out, repeated or replaced, the end missing. */
export interface Damage {
  kind: 'flip' | 'cut' | 'end' | 'repeat' | 'zero' | 'insert'
  /** Fraction of the length. */
  at: number
  size: number
}

/** In [0, 1], evenly: `fc.double` prefers numbers close to 0. */
export const fraction = fc.nat(1_000_000).map((millionths) => millionths / 1e6)

/** Mostly null. */
export function seldom<T>(arbitrary: Arbitrary<T>): Arbitrary<T | null> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
}

export const damage: Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('flip', 'cut', 'end', 'repeat', 'zero', 'insert'),
  at: fraction,
  size: fc.integer({ min: 1, max: 255 }),
})

export function applyDamage(bytes: Buffer, { kind, at, size }: Damage): Buffer {
  const start = Math.floor(at * bytes.length)
  const [before, hit, after] = [
    bytes.subarray(0, start),
    bytes.subarray(start, start + size),
    bytes.subarray(start + size),
  ]
  switch (kind) {
    case 'flip': {
      const copy = Buffer.from(bytes)
      if (start < copy.length) copy[start]! ^= 1 << (size % 8)
      return copy
    }
    case 'cut':
      return Buffer.concat([before, after])
    case 'end':
      return before
    case 'repeat':
      return Buffer.concat([before, hit, hit, after])
    case 'zero':
      return Buffer.concat([before, Buffer.alloc(hit.length), after])
    case 'insert':
      return Buffer.concat([before, Buffer.alloc(size, size), hit, after])
  }
}

const BOMB_UNITS = ['[', '{"a":', '{},', '1,', ' ', '"x",', '\\"', '\ufeff', '\0']
const BOMB_BYTES = [1e4, 1e6, 8e6, 8e7]

/** Small when compressed, up to 80 MB when not: brackets, objects, numbers, strings, white space. */
const bomb = fc
  .record({
    unit: fc.constantFrom(...BOMB_UNITS),
    bytes: fc.constantFrom(...BOMB_BYTES),
    compression: fc.constantFrom('gzip' as const, 'deflate' as const),
  })
  .map(({ unit, bytes, compression }) => packBomb(unit, bytes, compression))

/** Packed once each: it takes longer than sending them. */
const packedBombs = new Map<string, EncodedBody>()

function packBomb(unit: string, bytes: number, compression: 'gzip' | 'deflate'): EncodedBody {
  const name = `${unit} ${bytes} ${compression}`
  const known = packedBombs.get(name)
  if (known) return known
  const made = { bytes: COMPRESS[compression](Buffer.alloc(bytes, unit)), encoding: compression }
  packedBombs.set(name, made)
  return made
}

/** JSON texts, mostly sent as they are; sometimes compressed, damaged, or under a false name, and now and then a bomb. */
export function encodedBody(json: Arbitrary<string>): Arbitrary<EncodedBody> {
  const compressed = fc
    .record({
      json,
      compression: fc.constantFrom(...COMPRESSIONS),
      lie: seldom(fc.constantFrom(...ENCODINGS)),
      damages: fc.array(damage, { maxLength: 2 }),
    })
    .map(({ json, compression, lie, damages }): EncodedBody => {
      const bytes = damages.reduce(applyDamage, COMPRESS[compression](Buffer.from(json)))
      return { bytes, encoding: lie ?? NAMES[compression] }
    })
  return fc.oneof(
    {
      weight: 12,
      arbitrary: json.map((text) => ({ bytes: Buffer.from(text), encoding: undefined })),
    },
    { weight: 4, arbitrary: compressed },
    { weight: 1, arbitrary: bomb },
  )
}

const NAMES: Record<Compression, string | undefined> = {
  identity: undefined,
  gzip: 'gzip',
  deflate: 'deflate',
  raw: 'deflate',
  br: 'br',
  twice: 'gzip',
}
