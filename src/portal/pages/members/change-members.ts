import { parseEmail } from '../../../accounts/account.js'
import { createInvitation, withdrawInvitation } from '../../../accounts/invitation.js'
import { changeRole, removeMember } from '../../../accounts/members.js'
import { isRole } from '../../../accounts/role.js'
import { secretLink } from '../../../accounts/secret-link.js'
import { redirect, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import { membersPage } from './show-members.js'

export async function inviteMember(visit: MemberVisit): Promise<RouteReply> {
  const { services, form, session, act } = visit
  const role = form.get('role')
  if (!isRole(role)) return membersPage(visit, { problem: 'Choose a role.' }, 400)
  const entered = form.get('email')?.trim()
  const email = entered ? parseEmail(entered) : undefined
  if (entered && email === undefined) {
    return membersPage(visit, { problem: 'This is not an e-mail address.' }, 400)
  }
  const invitation = { organizationId: session.organizationId, role, email }
  const { token } = await createInvitation(services, invitation, act)
  // Shown without a redirect, because the link is not stored.
  return membersPage(visit, { link: secretLink(visit.publicUrl, '/portal/invitation', token) })
}

export async function withdrawMemberInvitation(visit: MemberVisit): Promise<RouteReply> {
  const { services, params, session, act } = visit
  const { organizationId } = session
  const { invitationId = '' } = params
  await withdrawInvitation(services, { organizationId, invitationId }, act)
  return redirect('/portal/members?done=withdrawn')
}

export async function changeMemberRole(visit: MemberVisit): Promise<RouteReply> {
  const { services, form, act } = visit
  const role = form.get('role')
  if (!isRole(role)) return membersPage(visit, { problem: 'Choose a role.' }, 400)
  await changeRole(services, { ...membershipOf(visit), role }, act)
  return redirect('/portal/members?done=role')
}

export async function removeOtherMember(visit: MemberVisit): Promise<RouteReply> {
  await removeMember(visit.services, membershipOf(visit), visit.act)
  return redirect('/portal/members?done=removed')
}

/** The membership that the route names. */
function membershipOf({ params, session }: MemberVisit) {
  return { organizationId: session.organizationId, accountId: params.accountId ?? '' }
}
