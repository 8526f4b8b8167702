import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const MAX_ENTRIES = 5_000
const TTL_MS = 24 * 3_600_000

/**
 * An LRU cache of values computed from personal texts, kept for a day at most. Keys are hashes, so that the texts do not
 * stay in memory.
 */
export interface TextCache<Value> {
  get(text: string): Value | undefined
  set(text: string, value: Value): void
}

export function createTextCache<Value extends NonNullable<unknown>>(): TextCache<Value> {
  const values = new LRUCache<string, Value>({
    max: MAX_ENTRIES,
    ttl: TTL_MS,
    // Deletes expired values; by default they stay until the next access.
    ttlAutopurge: true,
  })
  return {
    get: (text) => values.get(hashOf(text)),
    set: (text, value) => void values.set(hashOf(text), value),
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
