import type { Environment } from '../../../src/organizations/capability.js'
import type { Role } from '../../../src/accounts/role.js'
import type { Member, Portal } from '../_portal.js'

/** Renames the first organisation for the screenshots, and adds a member. */
export async function joinLumenDating(portal: Portal, role: Role): Promise<Member> {
  await portal.context.db
    .updateTable('organizations')
    .set({ name: 'Lumen Dating' })
    .where('id', '=', portal.organizationId)
    .execute()
  return portal.addMember(role, { email: `${role}@lumen.example` })
}

/** Further keys, as a product in production has them. */
export const LUMEN_KEYS: readonly { name: string; environment: Environment }[] = [
  { name: 'Event importer', environment: 'live' },
  { name: 'Feed ranking', environment: 'live' },
  { name: 'Staging', environment: 'test' },
]
