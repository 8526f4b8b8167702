import { latencyBucket } from '../../../dist/usage/latency-buckets.js'
import { hourShares } from './year.js'

const HOUR_MS = 60 * 60 * 1_000
/** Hours are shown of the last week only; before that a day's requests may stand in its first hour. */
const DAYS_BY_HOUR = 15
/** Latencies drawn for an hour; its requests have these in equal shares. */
const LATENCY_SAMPLES = 40

/** Requests for each call for openers, the median of their latency in milliseconds, and its spread. */
const LIVE = {
  'conversation.openers': { perOpenerCall: 1, medianMs: 900, spread: 0.45 },
  'match.evaluate': { perOpenerCall: 7, medianMs: 42, spread: 0.5 },
  'profile.infer_preferences': { perOpenerCall: 0.5, medianMs: 130, spread: 0.6 },
  events: { perOpenerCall: 0.2, medianMs: 12, spread: 0.5 },
}
const TEST_REQUESTS_A_DAY = {
  'conversation.openers': 210,
  'match.evaluate': 900,
  'profile.infer_preferences': 120,
  events: 60,
}

/** Errors by request, in the mean. */
const ERRORS = {
  invalid_request: 0.004,
  unsafe_content: 0.0035,
  photo_unavailable: 0.0025,
  rate_limited: 0.0012,
  overloaded: 0.0006,
  client_left: 0.0015,
  replayed: 0.003,
}

/**
 * The requests of one day as counts that the service stores, and how many were charged.
 * @param {import('./random.js').Random} random
 * @param {{ organizationId: string, environment: 'test' | 'live', startsAt: number, now: number, openerCalls: number }} day
 */
export function inventUsage(random, { organizationId, environment, startsAt, now, openerCalls }) {
  /** @type {any[]} */
  const counts = []
  /** @type {Record<string, number>} */
  const charged = {}
  const isRecent = startsAt > now - DAYS_BY_HOUR * 24 * HOUR_MS
  const shares = isRecent ? hourShares() : [1]
  const openersByHour = allot(
    openerCalls,
    shares.filter((_, hour) => startsAt + hour * HOUR_MS <= now),
  )
  for (const [capability, { perOpenerCall, medianMs, spread }] of Object.entries(LIVE)) {
    const isOpeners = capability === 'conversation.openers'
    for (const [hour, share] of shares.entries()) {
      const startOfHour = startsAt + hour * HOUR_MS
      if (startOfHour > now) continue
      const mean =
        environment === 'live'
          ? openerCalls * perOpenerCall * share
          : (TEST_REQUESTS_A_DAY[/** @type {keyof typeof LIVE} */ (capability)] ?? 0) * share
      // The openers that events tell of were all asked for.
      const requests =
        isOpeners && environment === 'live' ? (openersByHour[hour] ?? 0) : random.around(mean)
      // Busy hours are slower.
      const load = 1 + 0.35 * (share * 24 > 1.5 && isRecent ? 1 : 0)
      const add = (
        /** @type {string} */ outcome,
        /** @type {number} */ ms,
        /** @type {number} */ count,
      ) => {
        const bucket = latencyBucket(ms)
        if (count > 0) {
          counts.push([
            organizationId,
            environment,
            capability,
            outcome,
            startOfHour / HOUR_MS,
            bucket,
            count,
          ])
        }
      }
      for (const [outcome, rate] of Object.entries(ERRORS)) {
        add(
          outcome,
          medianMs * (outcome === 'overloaded' ? 0.02 : 0.4),
          random.around(requests * rate),
        )
      }
      charged[capability] = (charged[capability] ?? 0) + requests
      for (let sample = 0; sample < LATENCY_SAMPLES; sample++) {
        const count =
          Math.floor((requests * (sample + 1)) / LATENCY_SAMPLES) -
          Math.floor((requests * sample) / LATENCY_SAMPLES)
        add('ok', medianMs * load * Math.exp(spread * random.normal()), count)
      }
    }
  }
  return { counts, charged }
}

/** Whole numbers in these shares that add up to the count. */
function allot(/** @type {number} */ count, /** @type {number[]} */ shares) {
  const total = shares.reduce((sum, share) => sum + share, 0)
  let before = 0
  let given = 0
  return shares.map((share) => {
    before += share
    const own = Math.round((count * before) / total) - given
    given += own
    return own
  })
}
