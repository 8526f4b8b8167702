import type { Migration } from 'kysely'
import * as organizations from './001-organizations.js'
import * as quotas from './002-quotas.js'
import * as idempotency from './003-idempotency.js'
import * as events from './010-events.js'
import * as secretUse from './011-secret-use.js'
import * as portalAccounts from './020-portal-accounts.js'
import * as idempotencyOrganization from './030-idempotency-organization.js'
import * as usage from './040-usage.js'
import * as verifiedAddresses from './050-verified-addresses.js'
import * as auditChain from './051-audit-chain.js'
import * as passkeys from './052-passkeys.js'
import * as learning from './060-learning.js'
import * as quotaLeases from './070-quota-leases.js'

/** Every migration by name, in order. One that was released never changes again. */
export const ALL_MIGRATIONS: Record<string, Migration> = {
  '001-organizations': organizations,
  '002-quotas': quotas,
  '003-idempotency': idempotency,
  '010-events': events,
  '011-secret-use': secretUse,
  '020-portal-accounts': portalAccounts,
  '030-idempotency-organization': idempotencyOrganization,
  '040-usage': usage,
  '050-verified-addresses': verifiedAddresses,
  '051-audit-chain': auditChain,
  '052-passkeys': passkeys,
  '060-learning': learning,
  '070-quota-leases': quotaLeases,
}
