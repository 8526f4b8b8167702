import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const MAX_ENTRIES = 5_000
const TTL_MS = 24 * 3_600_000

/**
 * What was computed from texts that people wrote, least recently used out first, for a day at most. It holds a hash of
 * each text and never the text, so that its memory tells nobody what was written.
 */
export interface TextCache<Value> {
  get(text: string): Value | undefined
  set(text: string, value: Value): void
}

export function createTextCache<Value extends NonNullable<unknown>>(): TextCache<Value> {
  const kept = new LRUCache<string, Value>({
    max: MAX_ENTRIES,
    ttl: TTL_MS,
    // What is too old is deleted, not merely hidden.
    ttlAutopurge: true,
  })
  return {
    get: (text) => kept.get(hashOf(text)),
    set: (text, value) => void kept.set(hashOf(text), value),
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
