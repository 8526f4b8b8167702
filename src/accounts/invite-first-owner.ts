import type { Act } from '../organizations/audit-log.js'
import type { AccountDeps } from './account-deps.js'
import { createInvitation } from './invitation.js'

/** Invites an owner to the first organisation. Returns the token of the link, which the operator's terminal shows. */
export async function inviteFirstOwner(deps: AccountDeps, now: number): Promise<string> {
  const { id } = await deps.db
    .selectFrom('organizations')
    .select('id')
    .orderBy('created_at')
    .executeTakeFirstOrThrow()
  const act: Act = { actor: 'system', now }
  const { token } = await createInvitation(deps, { organizationId: id, role: 'owner' }, act)
  return token
}
