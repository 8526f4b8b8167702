import { AdminError } from '../core/admin-error.js'

/** The names of the plans there are, as any map by plan name gives them. */
export type PlanNames = Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>

/** @throws AdminError `not_found` naming the plans there are */
export function requirePlanName(plans: PlanNames, name: string): string {
  if (plans.has(name)) return name
  const known = [...plans.keys()].join(', ')
  throw new AdminError('not_found', `There is no such plan. The plans file has: ${known}.`)
}
