import {
  ENVIRONMENTS,
  type Capability,
  type Environment,
} from '../../../organizations/capability.js'
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
import { inOrderOfPages, listCapabilities } from '../../analytics/names.js'
import { choosePeriod, USAGE_PERIODS, type Period } from '../../analytics/period.js'
import { notFound } from '../../refusal.js'
import type { MemberVisit } from '../../visit.js'

/** What the overview shows. */
export interface Overview {
  period: Period<keyof typeof USAGE_PERIODS>
  step: UsageStep
  usage: CapabilityUsage[]
  requests: UsageInStep[]
  /** The capability whose latency is shown. */
  capability: Capability
  latency: LatencyInStep[]
  plan: string
  quota: Record<Environment, CapabilityQuota[]>
}

export async function loadOverview(visit: MemberVisit): Promise<Overview> {
  const { context, session, environment, query, now } = visit
  const { organizationId } = session
  const organization = await findOrganization(context.db, organizationId)
  if (!organization) throw notFound()
  const period = choosePeriod(USAGE_PERIODS, visit, '30d')
  const { step } = USAGE_PERIODS[period.name]
  const usageQuery = { organizationId, environment, from: period.from, to: period.to, step }
  const [fallback = 'events'] = listCapabilities()
  const capability =
    listCapabilities().find((known) => known === query.get('capability')) ?? fallback
  const { plan } = organization
  const [test, live] = await Promise.all(
    ENVIRONMENTS.map((each) =>
      quotaByCapability(context, { organizationId, environment: each, plan, now }),
    ),
  )
  return {
    period,
    step,
    usage: inOrderOfPages(await usageByCapability(context.db, usageQuery)),
    requests: await usageOverTime(context.db, usageQuery),
    capability,
    latency: await latencyOverTime(context.db, { ...usageQuery, capability }),
    plan,
    quota: { test: inOrderOfPages(test ?? []), live: inOrderOfPages(live ?? []) },
  }
}
