import type { Act } from '../organizations/audit-log.js'
import { createInvitation, type AccessDeps } from './invitation.js'

/** The token of a link that makes whoever opens it an owner of the first organisation, for the operator's terminal. */
export async function inviteFirstOwner(deps: AccessDeps, now: number): Promise<string> {
  const { id } = await deps.db
    .selectFrom('organizations')
    .select('id')
    .orderBy('created_at')
    .executeTakeFirstOrThrow()
  const act: Act = { actor: 'system', now }
  const { token } = await createInvitation(deps, { organizationId: id, role: 'owner' }, act)
  return token
}
