import type { UsageStep } from '../../usage/usage-steps.js'
import { formatDay, formatHour } from './number-format.js'

/** The name of a step on the page. */
export function stepLabel(step: UsageStep, startsAt: number): string {
  if (step === 'hour') return formatHour(startsAt)
  return step === 'day' ? formatDay(startsAt) : `Week of ${formatDay(startsAt)}`
}

/** The name of a step in a download. */
export function stepName(step: UsageStep, startsAt: number): string {
  const iso = new Date(startsAt).toISOString()
  return step === 'hour' ? iso.slice(0, 13) + ':00Z' : iso.slice(0, 10)
}
