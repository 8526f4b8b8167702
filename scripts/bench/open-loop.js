import { setTimeout as sleep } from 'node:timers/promises'

/** Bodies that are made before the first is sent, at most. */
const PREPARED_BYTES = 150e6

/**
 * When requests come that do not depend on answers, as those of users do: exponential gaps, so that they come in
 * clusters.
 * @param {{ perSecond: number, seconds: number }} load
 * @returns {number[]} milliseconds since the start
 */
export function drawArrivals({ perSecond, seconds }) {
  const times = []
  for (let dueMs = 0; dueMs < seconds * 1_000; dueMs += exponential(1_000 / perSecond)) {
    times.push(dueMs)
  }
  return times
}

/**
 * Calls at these times, whether or not earlier calls are answered.
 * @template {object} Outcome
 * @param {readonly number[]} times - as of `drawArrivals`
 * @param {() => Promise<Outcome>} call
 * @returns {Promise<(Outcome & { dueMs: number, latencyMs: number })[]>}
 */
export async function callAt(times, call) {
  const startedAt = performance.now()
  const outcomes = []
  for (const dueMs of times) {
    const aheadMs = startedAt + dueMs - performance.now()
    if (aheadMs > 0) await sleep(aheadMs)
    outcomes.push(
      call().then((outcome) => ({
        ...outcome,
        dueMs,
        latencyMs: performance.now() - startedAt - dueMs,
      })),
    )
  }
  return Promise.all(outcomes)
}

/**
 * Makes bodies in advance, so that making them takes no time from the server; what has no room is made when it is sent.
 * @param {() => unknown} body
 * @param {number} count
 * @returns {() => Buffer} the next
 */
export function prepareBodies(body, count) {
  const next = () => Buffer.from(JSON.stringify(body()))
  /** @type {Buffer[]} */
  const prepared = []
  for (let bytes = 0; prepared.length < count && bytes < PREPARED_BYTES;) {
    const made = next()
    prepared.push(made)
    bytes += made.length
  }
  return () => prepared.shift() ?? next()
}

function exponential(/** @type {number} */ mean) {
  return -mean * Math.log(1 - Math.random())
}
