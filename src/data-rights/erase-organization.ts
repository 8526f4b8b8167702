import { withErasureConnection } from '../database/erasure-connection.js'
import type { DatabasePlace } from '../database/open-database.js'
import type { Act } from '../organizations/audit-log.js'
import type { ServerSecret } from '../organizations/server-secret.js'
import { deleteOrganization } from './delete-organization.js'
import { eraseRemnants } from './erase-remnants.js'

export interface ErasedOrganization {
  rows: number
  /** What could not be erased yet, for the operator. */
  remnants: string
}

/** Deletes an organisation, erases its remnants from the files, and records who did it. */
export async function eraseOrganization(
  { secret, place }: { secret: ServerSecret; place: DatabasePlace },
  organizationId: string,
  act: Act,
): Promise<ErasedOrganization> {
  return withErasureConnection(place, async (erasing) => {
    const rows = await deleteOrganization({ db: erasing, secret }, organizationId, act)
    return { rows, remnants: await eraseRemnants(erasing, place) }
  })
}
