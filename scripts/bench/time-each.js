import { setImmediate } from 'node:timers/promises'

/** Milliseconds of each, one after the other. */
export async function timeEach(/** @type {readonly (() => Promise<unknown>)[]} */ works) {
  const times = []
  for (const work of works) {
    // The database answers at once and so never lets a signal through.
    await setImmediate()
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  return times
}
