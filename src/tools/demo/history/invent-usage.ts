import type { Capability, Environment } from '../../../organizations/capability.js'
import { latencyBucket } from '../../../usage/latency-buckets.js'
import type { UsageCount } from '../../../usage/store-usage.js'
import type { UsageOutcome } from '../../../usage/usage-outcome.js'
import { hourFractions } from './plan-year.js'
import type { RandomSource } from './random-source.js'

const HOUR_MS = 60 * 60 * 1_000
/** The portal shows hours of the last week only; before that, a day's requests all count in its first hour. */
const DAYS_BY_HOUR = 15
/** Latencies that are drawn for an hour, each for an equal part of its requests. */
const LATENCY_SAMPLES = 40
const SLOWDOWN_IN_BUSY_HOURS = 1.35

interface Traffic {
  /** Live requests for each call for openers. */
  perOpenersCall: number
  testRequestsPerDay: number
  /** Median latency, and the standard deviation of its logarithm. */
  medianMs: number
  spread: number
}

const TRAFFIC: Record<Capability, Traffic> = {
  'conversation.openers': {
    perOpenersCall: 1,
    testRequestsPerDay: 210,
    medianMs: 900,
    spread: 0.45,
  },
  'match.evaluate': { perOpenersCall: 7, testRequestsPerDay: 900, medianMs: 42, spread: 0.5 },
  'profile.infer_preferences': {
    perOpenersCall: 0.5,
    testRequestsPerDay: 120,
    medianMs: 130,
    spread: 0.6,
  },
  events: { perOpenersCall: 0.2, testRequestsPerDay: 60, medianMs: 12, spread: 0.5 },
}

/** Mean number of other outcomes for each answered request. */
const OTHER_OUTCOMES: readonly (readonly [outcome: UsageOutcome, rate: number])[] = [
  ['invalid_request', 0.004],
  ['unsafe_content', 0.0035],
  ['photo_unavailable', 0.0025],
  ['rate_limited', 0.0012],
  ['overloaded', 0.0006],
  ['client_left', 0.0015],
  ['replayed', 0.003],
]

export interface UsageDay {
  organizationId: string
  environment: Environment
  startsAt: number
  now: number
  openersCalls: number
}

export interface InventedUsage {
  counts: UsageCount[]
  charged: [capability: Capability, requests: number][]
}

/** Invents the requests of a day as the usage counts that the service stores, and how many of them were charged. */
export function inventUsage(random: RandomSource, day: UsageDay): InventedUsage {
  const { environment, startsAt, now, openersCalls } = day
  const isRecent = startsAt > now - DAYS_BY_HOUR * 24 * HOUR_MS
  const fractions = isRecent ? hourFractions() : [1]
  const past = fractions.filter((_, hour) => startsAt + hour * HOUR_MS <= now)
  // Every opener that an event refers to was requested, so these numbers are not drawn.
  const openersByHour = allot(openersCalls, past)
  const counts: UsageCount[] = []
  const charged: InventedUsage['charged'] = []
  for (const [capability, traffic] of Object.entries(TRAFFIC) as [Capability, Traffic][]) {
    const { perOpenersCall, testRequestsPerDay } = traffic
    const isLive = environment === 'live'
    const perDay = isLive ? openersCalls * perOpenersCall : testRequestsPerDay
    let total = 0
    for (const [hour, fraction] of past.entries()) {
      const requests =
        isLive && capability === 'conversation.openers'
          ? openersByHour[hour]!
          : random.around(perDay * fraction)
      const isBusy = isRecent && fraction * 24 > 1.5
      const startOfHour = startsAt + hour * HOUR_MS
      counts.push(...inventHour(random, day, { capability, requests, startOfHour, isBusy }))
      total += requests
    }
    charged.push([capability, total])
  }
  return { counts, charged }
}

interface Hour {
  capability: Capability
  /** Answered and charged. */
  requests: number
  startOfHour: number
  isBusy: boolean
}

function inventHour(
  random: RandomSource,
  { organizationId, environment }: UsageDay,
  { capability, requests, startOfHour, isBusy }: Hour,
): UsageCount[] {
  const { medianMs, spread } = TRAFFIC[capability]
  const hour = startOfHour / HOUR_MS
  const counts: UsageCount[] = []
  const add = (outcome: UsageOutcome, ms: number, count: number) => {
    if (count === 0) return
    const bucket = latencyBucket(ms)
    counts.push([organizationId, environment, capability, outcome, hour, bucket, count])
  }
  for (const [outcome, rate] of OTHER_OUTCOMES) {
    const ms = medianMs * (outcome === 'overloaded' ? 0.02 : 0.4)
    add(outcome, ms, random.around(requests * rate))
  }
  const typicalMs = medianMs * (isBusy ? SLOWDOWN_IN_BUSY_HOURS : 1)
  const countUpTo = (sample: number) => Math.floor((requests * sample) / LATENCY_SAMPLES)
  for (let sample = 0; sample < LATENCY_SAMPLES; sample++) {
    const ms = typicalMs * Math.exp(spread * random.normal())
    add('ok', ms, countUpTo(sample + 1) - countUpTo(sample))
  }
  return counts
}

/** Splits a count into whole numbers in proportion to the weights. */
function allot(count: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let weightSoFar = 0
  let allotted = 0
  return weights.map((weight) => {
    weightSoFar += weight
    const part = Math.round((count * weightSoFar) / total) - allotted
    allotted += part
    return part
  })
}
