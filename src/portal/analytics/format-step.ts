import type { UsageStep } from '../../usage/usage-steps.js'
import { formatDay, formatHour } from './format-date.js'

/** A step as pages show it, such as `2026-11-03 14:00`, `3 Nov 2026` or `Week of 2 Nov 2026`. */
export function formatStep(step: UsageStep, startsAt: number): string {
  if (step === 'hour') return formatHour(startsAt)
  return step === 'day' ? formatDay(startsAt) : `Week of ${formatDay(startsAt)}`
}

/** A step as downloads give it, such as `2026-11-03T14:00Z` or `2026-11-03`. */
export function formatStepForCsv(step: UsageStep, startsAt: number): string {
  const iso = new Date(startsAt).toISOString()
  return step === 'hour' ? iso.slice(0, 13) + ':00Z' : iso.slice(0, 10)
}
