import { withErasureConnection } from '../database/erasure-connection.js'
import type { Database } from '../database/open-database.js'
import { recordAudit, type Act } from '../organizations/audit-log.js'
import { deleteOrganization } from './delete-organization.js'
import { eraseRemnants } from './erase-remnants.js'

export interface ErasedOrganization {
  rows: number
  /** What could not be erased yet, for the operator. */
  remnants: string
}

/** Deletes an organisation, erases its remnants from the files, and records who did it. */
export async function eraseOrganization(
  { db, dataDir }: { db: Database; dataDir: string },
  organizationId: string,
  act: Act,
): Promise<ErasedOrganization> {
  return withErasureConnection(dataDir, async (erasing) => {
    const deleted = await deleteOrganization(erasing, organizationId, act.now)
    const rows = Object.values(deleted).reduce((sum, count) => sum + count, 0)
    // This entry, which names only a random id, is all that stays.
    const event = { action: 'organization.deleted' as const, details: { rows } }
    await recordAudit(db, { ...event, organizationId, subject: organizationId }, act)
    return { rows, remnants: await eraseRemnants(erasing, dataDir) }
  })
}
