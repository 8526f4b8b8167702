import { createHash } from 'node:crypto'

/** 31 bits of a hash: llama.cpp takes unsigned 32-bit seeds and reserves the highest. */
export function seedOf(parts: readonly (string | number)[]): number {
  return createHash('sha256').update(parts.join('\n')).digest().readUInt32BE() >>> 1
}
