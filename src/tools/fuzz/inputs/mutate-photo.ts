import fc, { type Arbitrary } from 'fast-check'
import { applyDamage, damage, fraction, seldom } from './mutate-bytes.js'

/** A photo that decoders accept, and where its structure is. */
export interface PhotoSeed {
  format: 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'
  bytes: Buffer
}

/** A lie in the structure of a file: about a length, a dimension, or the kind of a part. */
interface Lie {
  /** Which part, modulo their number. */
  part: number
  kind: 'length' | 'body' | 'type' | 'drop' | 'double'
  value: number
}

const EDGES = [0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff]
const extreme = fc.oneof(
  fc.constantFrom(...EDGES, 0x80000000, 0xffffffff, 0xfffffffe),
  fc.nat(0xffffffff),
)

const lie: Arbitrary<Lie> = fc.record({
  part: fc.nat(40),
  kind: fc.constantFrom('length', 'body', 'type', 'drop', 'double'),
  value: extreme,
})

/** Real photos with lies in their structure, damage anywhere, or the end of another photo. */
export function mutatedPhoto(seeds: readonly PhotoSeed[]): Arbitrary<Buffer> {
  return fc
    .record({
      seed: fc.constantFrom(...seeds),
      edits: fc.array(fc.oneof(lie, damage), { minLength: 1, maxLength: 3, size: 'max' }),
      splice: seldom(fc.record({ other: fc.constantFrom(...seeds), at: fraction })),
    })
    .map(({ seed, edits, splice }) => {
      const damaged = edits.reduce(
        (bytes, edit) =>
          'part' in edit ? applyLie(seed.format, bytes, edit) : applyDamage(bytes, edit),
        seed.bytes,
      )
      if (splice === null) return damaged
      const { other, at } = splice
      return Buffer.concat([
        damaged.subarray(0, Math.floor(at * damaged.length)),
        other.bytes.subarray(Math.floor(at * other.bytes.length)),
      ])
    })
}

/** A part of a file: marker segment, chunk, box or block. */
interface Part {
  start: number
  end: number
  /** Where the length stands, how many bytes it has, and in which order. */
  length: { at: number; size: 2 | 4; order: 'big' | 'little' } | undefined
}

function applyLie(format: PhotoSeed['format'], bytes: Buffer, { part, kind, value }: Lie): Buffer {
  const parts = LIST_PARTS[format](bytes)
  const hit = parts[part % Math.max(1, parts.length)]
  if (!hit) return bytes
  const { start, end, length } = hit
  const copy = Buffer.from(bytes)
  switch (kind) {
    case 'length': {
      if (length && length.at + length.size <= copy.length) writeNumber(copy, length, value)
      return copy
    }
    case 'body': {
      // Dimensions, counts and offsets stand at the beginning of a part.
      const at = start + 8 + (value % 16)
      if (at + 4 <= copy.length) copy.writeUInt32BE(value >>> 0, at)
      return copy
    }
    case 'type':
      if (start + 8 <= copy.length) copy[start + (value % 8)] = value & 0xff
      return copy
    case 'drop':
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
    case 'double':
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)])
  }
}

function writeNumber(
  bytes: Buffer,
  { at, size, order }: NonNullable<Part['length']>,
  value: number,
): void {
  const number = size === 2 ? value & 0xffff : value >>> 0
  if (order === 'big') bytes.writeUIntBE(number, at, size)
  else bytes.writeUIntLE(number, at, size)
}

const LIST_PARTS: Record<PhotoSeed['format'], (bytes: Buffer) => Part[]> = {
  /** Marker segments up to the entropy-coded data. */
  jpeg: (bytes) =>
    walk(2, bytes.length, (at) => ({
      next: at + 2 + bytes.readUInt16BE(at + 2),
      length: { at: at + 2, size: 2, order: 'big' },
    })),
  png: (bytes) =>
    walk(8, bytes.length, (at) => ({
      next: at + 12 + bytes.readUInt32BE(at),
      length: { at, size: 4, order: 'big' },
    })),
  webp: (bytes) =>
    walk(12, bytes.length, (at) => ({
      next: at + 8 + bytes.readUInt32LE(at + 4),
      length: { at: at + 4, size: 4, order: 'little' },
    })),
  /** Boxes at the top, and those within `meta`, which hold sizes and places of everything. */
  avif: (bytes) => {
    const box = (at: number) => ({
      next: at + Math.max(8, bytes.readUInt32BE(at)),
      length: { at, size: 4 as const, order: 'big' as const },
    })
    const top = walk(0, bytes.length, box)
    const meta = top.find(({ start }) => bytes.toString('latin1', start + 4, start + 8) === 'meta')
    const inner = meta ? walk(meta.start + 12, meta.end, box) : []
    const properties = inner.find(
      ({ start }) => bytes.toString('latin1', start + 4, start + 8) === 'iprp',
    )
    const nested = properties ? walk(properties.start + 16, properties.end, box) : []
    return [...top, ...inner, ...nested]
  },
  /** Header, then blocks of unknown length: every 64 bytes counts as one. */
  gif: (bytes) => walk(0, bytes.length, (at) => ({ next: at + 64, length: undefined })),
}

/** Parts one after the other until one does not fit. */
function walk(
  from: number,
  to: number,
  read: (at: number) => { next: number; length: Part['length'] },
): Part[] {
  const parts: Part[] = []
  for (let at = from; at + 12 <= to && parts.length < 64;) {
    const { next, length } = read(at)
    const end = Math.min(next, to)
    parts.push({ start: at, end, length })
    if (next <= at || next >= to) break
    at = next
  }
  return parts
}
