import { setTimeout as sleep } from 'node:timers/promises'

const INTERVAL_MS = 20

/**
 * Waits until a condition holds.
 * @returns milliseconds that it took; undefined when it did not hold within `limitMs`
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
): Promise<number | undefined> {
  const startedAt = performance.now()
  for (;;) {
    if (await condition()) return performance.now() - startedAt
    if (performance.now() - startedAt > limitMs) return undefined
    await sleep(INTERVAL_MS)
  }
}

/** `1.4 s`, or `not within 20 s`. */
export function formatWait(tookMs: number | undefined, limitMs: number): string {
  if (tookMs === undefined) return `not within ${limitMs / 1_000} s`
  return `${(tookMs / 1_000).toFixed(1)} s`
}
