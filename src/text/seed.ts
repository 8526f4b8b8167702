import { createHash } from 'node:crypto'

/** A seed of 31 bits from a hash: llama.cpp takes unsigned 32-bit seeds and reserves the highest. */
export function seedOf(parts: readonly (string | number)[]): number {
  return createHash('sha256').update(parts.join('\n')).digest().readUInt32BE() >>> 1
}
