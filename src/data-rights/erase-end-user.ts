import { OperatorError } from '../core/operator-error.js'
import { withErasureConnection } from '../database/erasure-connection.js'
import type { DatabasePlace } from '../database/open-database.js'
import type { AuditDeps } from '../organizations/audit-chain.js'
import { recordAudit, type Act } from '../organizations/audit-log.js'
import type { Environment } from '../organizations/capability.js'
import { deleteEndUser, type DeletedEndUser } from './delete-end-user.js'
import { eraseRemnants } from './erase-remnants.js'

export interface EndUserReference {
  organizationId: string
  environments: readonly Environment[]
  /** 64 lower-case hex digits. */
  hash: string
}

/**
 * Deletes an end user in each environment, erases the remnants from the files, and records who did it.
 * @throws OperatorError if no environment has the end user
 */
export async function eraseEndUser(
  { db, secret, place }: AuditDeps & { place: DatabasePlace },
  { organizationId, environments, hash }: EndUserReference,
  act: Act,
): Promise<({ environment: Environment } & DeletedEndUser)[]> {
  return withErasureConnection(place, async (erasing) => {
    const erased = []
    for (const environment of environments) {
      const deleted = await deleteEndUser(erasing, { organizationId, environment }, hash)
      if (!deleted) continue
      erased.push({ environment, ...deleted })
      const event = { action: 'end_user.deleted' as const, details: { environment } }
      await recordAudit({ db, secret }, { ...event, organizationId, subject: organizationId }, act)
    }
    if (erased.length === 0) throw new OperatorError('There is no such end user.')
    await eraseRemnants(erasing, place)
    return erased
  })
}
