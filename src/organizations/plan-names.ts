import { AdminError } from '../core/admin-error.js'

/** Names of the existing plans; any map by plan name will do. */
export type PlanNames = Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>

/** @throws AdminError `not_found`, listing the existing plans */
export function requirePlanName(plans: PlanNames, name: string): string {
  if (plans.has(name)) return name
  const known = [...plans.keys()].join(', ')
  throw new AdminError('not_found', `There is no such plan. The plans file defines: ${known}.`)
}
