import type { Capability, Environment } from '../organizations/capability.js'

/** Quota is counted separately for each organisation, environment and capability. */
export interface QuotaScope {
  organizationId: string
  environment: Environment
  capability: Capability
}
