import type { UsageStep } from '../../usage/usage-steps.js'

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

export interface Period<Name extends string = string> {
  name: Name
  /** As in "requests in …", such as `the last 30 days`. */
  phrase: string
  /** Milliseconds since the epoch; [from, to), where `to` is the end of the current step. */
  from: number
  to: number
}

interface Choice {
  label: string
  phrase: string
  lengthMs: number
}

export const USAGE_PERIODS = {
  '24h': { label: '24 hours', phrase: 'the last 24 hours', lengthMs: DAY_MS, step: 'hour' },
  '7d': { label: '7 days', phrase: 'the last 7 days', lengthMs: 7 * DAY_MS, step: 'hour' },
  '30d': { label: '30 days', phrase: 'the last 30 days', lengthMs: 30 * DAY_MS, step: 'day' },
  '12m': { label: '12 months', phrase: 'the last 12 months', lengthMs: 365 * DAY_MS, step: 'week' },
} as const satisfies Record<string, Choice & { step: UsageStep }>

export const OPENER_PERIODS = {
  '30d': { label: '30 days', phrase: 'the last 30 days', lengthMs: 30 * DAY_MS },
  '90d': { label: '90 days', phrase: 'the last 90 days', lengthMs: 90 * DAY_MS },
  '12m': { label: '12 months', phrase: 'the last 12 months', lengthMs: 365 * DAY_MS },
} as const satisfies Record<string, Choice>

/**
 * The period that `?period=` names, or `fallback`. It ends with the current hour or day and starts with a whole one, so
 * the last 30 days are today and the 29 days before.
 */
export function choosePeriod<Name extends string>(
  choices: Record<Name, Choice>,
  { query, now }: { query: URLSearchParams; now: number },
  fallback: Name,
): Period<Name> {
  const requested = query.get('period') ?? ''
  const name = Object.hasOwn(choices, requested) ? (requested as Name) : fallback
  const { phrase, lengthMs } = choices[name]
  const stepMs = lengthMs > 7 * DAY_MS ? DAY_MS : HOUR_MS
  const to = (Math.floor(now / stepMs) + 1) * stepMs
  return { name, phrase, from: to - lengthMs, to }
}

/** Labels of the links to the periods, by the value of `?period=`. */
export function periodLabels<Name extends string>(
  choices: Record<Name, Choice>,
): Record<Name, string> {
  const labels = Object.entries<Choice>(choices).map(([name, { label }]) => [name, label])
  return Object.fromEntries(labels) as Record<Name, string>
}
