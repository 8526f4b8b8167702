import type { Capability, Environment } from '../../../organizations/capability.js'
import { findOrganization } from '../../../organizations/organization.js'
import { quotaByCapability, type CapabilityQuota } from '../../../usage/quota-report.js'
import {
  latencyOverTime,
  usageByCapability,
  usageOverTime,
  type CapabilityUsage,
  type LatencyInStep,
  type UsageInStep,
} from '../../../usage/usage-report.js'
import type { UsageStep } from '../../../usage/usage-steps.js'
import { listCapabilities, sortByCapability } from '../../analytics/labels.js'
import { choosePeriod, USAGE_PERIODS, type Period } from '../../analytics/period.js'
import { notFound } from '../../refusal.js'
import type { MemberVisit } from '../../visit.js'

/** The data of the overview. */
export interface Overview {
  period: Period<keyof typeof USAGE_PERIODS>
  step: UsageStep
  usage: CapabilityUsage[]
  requests: UsageInStep[]
  /** The capability whose latency is shown: `?capability=`, else the first one. */
  capability: Capability
  latency: LatencyInStep[]
  plan: string
  quota: Record<Environment, CapabilityQuota[]>
}

export async function loadOverview(visit: MemberVisit): Promise<Overview> {
  const { session, environment, query, now } = visit
  const { db, plans } = visit.services
  const { organizationId } = session
  const organization = await findOrganization(db, organizationId)
  if (!organization) throw notFound()
  const period = choosePeriod(USAGE_PERIODS, visit, '30d')
  const { step } = USAGE_PERIODS[period.name]
  const usageQuery = { organizationId, environment, from: period.from, to: period.to, step }
  const [fallback = 'events'] = listCapabilities()
  const capability =
    listCapabilities().find((known) => known === query.get('capability')) ?? fallback
  const { plan } = organization
  const quotaOf = async (scope: { environment: Environment }) =>
    sortByCapability(
      await quotaByCapability({ db, plans }, { organizationId, plan, now, ...scope }),
    )
  return {
    period,
    step,
    usage: sortByCapability(await usageByCapability(db, usageQuery)),
    requests: await usageOverTime(db, usageQuery),
    capability,
    latency: await latencyOverTime(db, { ...usageQuery, capability }),
    plan,
    quota: {
      live: await quotaOf({ environment: 'live' }),
      test: await quotaOf({ environment: 'test' }),
    },
  }
}
