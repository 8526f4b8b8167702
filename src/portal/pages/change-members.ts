import { parseEmail } from '../../accounts/account.js'
import { createInvitation, withdrawInvitation } from '../../accounts/invitation.js'
import { changeRole, removeMember } from '../../accounts/members.js'
import { isRole } from '../../accounts/role.js'
import { redirect, type RouteReply } from '../reply.js'
import type { MemberVisit } from '../visit.js'
import { membersPage } from './members.js'

export async function inviteMember(visit: MemberVisit): Promise<RouteReply> {
  const { context, form, session, act } = visit
  const role = form.get('role')
  if (!isRole(role)) return membersPage(visit, { problem: 'Choose a role.' }, 400)
  const given = form.get('email')?.trim()
  const email = given ? parseEmail(given) : undefined
  if (given && email === undefined) {
    return membersPage(visit, { problem: 'This is not an e-mail address.' }, 400)
  }
  const invitation = { organizationId: session.organizationId, role, email }
  const { token } = await createInvitation(context, invitation, act)
  // Answered at once and not after a redirect: the link is not kept anywhere.
  return membersPage(visit, { link: `${visit.publicUrl}/portal/invitation/${token}` })
}

export async function withdrawMemberInvitation(visit: MemberVisit): Promise<RouteReply> {
  const { context, params, session, act } = visit
  const { organizationId } = session
  const { invitationId = '' } = params
  await withdrawInvitation(context.db, { organizationId, invitationId }, act)
  return redirect('/portal/members?done=withdrawn')
}

export async function changeMemberRole(visit: MemberVisit): Promise<RouteReply> {
  const { context, form, act } = visit
  const role = form.get('role')
  if (!isRole(role)) return membersPage(visit, { problem: 'Choose a role.' }, 400)
  await changeRole(context.db, { ...named(visit), role }, act)
  return redirect('/portal/members?done=role')
}

export async function removeOtherMember(visit: MemberVisit): Promise<RouteReply> {
  await removeMember(visit.context.db, named(visit), visit.act)
  return redirect('/portal/members?done=removed')
}

function named({ params, session }: MemberVisit) {
  return { organizationId: session.organizationId, accountId: params.accountId ?? '' }
}
