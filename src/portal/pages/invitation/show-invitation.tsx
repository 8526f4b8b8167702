import { acceptInvitation } from '../../../accounts/accept-invitation.js'
import { findInvitation, type Invitation } from '../../../accounts/invitation.js'
import { isWellFormedToken } from '../../../accounts/link-token.js'
import { endSession } from '../../../accounts/session.js'
import { LINK_FIELD, OpenLinkPage } from '../../components/open-link-page.js'
import { Refusal } from '../../refusal.js'
import { page, redirect, type RouteReply } from '../../reply.js'
import { toMemberVisit } from '../../start-visit.js'
import type { MemberVisit, Visit } from '../../visit.js'
import { InvitationPage, JoinPage } from './invitation-page.js'

/** The page that the link of an invitation opens. */
export function openInvitation(visit: Visit): RouteReply {
  return page(<OpenLinkPage visit={visit} title="Your invitation" action="/portal/invitation" />)
}

/** Links of versions before 0.3.0 have the secret in the path. They work until they expire, 72 hours after the upgrade. */
export function openOldInvitation({ params: { token = '' } }: Visit): RouteReply {
  if (!isWellFormedToken(token)) throw noInvitation()
  return redirect(`/portal/invitation#${token}`)
}

/** Shows the invitation whose secret the form carries. */
export async function showInvitation(visit: Visit): Promise<RouteReply> {
  const invitation = await requireInvitation(visit)
  const { session } = visit
  if (session) {
    return page(<JoinPage visit={await toMemberVisit(visit, session)} invitation={invitation} />)
  }
  return invitationPage(visit, invitation)
}

/** The page of an invitation for somebody who is not signed in. */
export function invitationPage(
  visit: Visit,
  invitation: Invitation,
  { problem, status = 200 }: { problem?: string; status?: number } = {},
): RouteReply {
  const document = <InvitationPage visit={visit} invitation={invitation} problem={problem} />
  // Single sign-on begins with a link, which must not contain the secret.
  const invitationToken = visit.services.identityProvider && visit.form.get(LINK_FIELD)
  return { ...page(document, status), ...(invitationToken && { invitationToken }) }
}

/** Accepts the invitation with the account that is signed in. */
export async function acceptAsMember(visit: MemberVisit): Promise<RouteReply> {
  const { services, session, device, now } = visit
  const { accountId } = session
  const invitation = await requireInvitation(visit)
  if (invitation.email !== null && invitation.email !== session.email) throw forSomebodyElse()
  const outcome = await acceptInvitation(services, invitation, { accountId, device, now })
  if (outcome.kind !== 'accepted') throw noInvitation()
  await endSession(services.db, session.tokenHash)
  return { ...redirect('/portal'), sessionToken: outcome.sessionToken }
}

export async function requireInvitation({ services, form, now }: Visit): Promise<Invitation> {
  const invitation = await findInvitation(services, form.get(LINK_FIELD)?.trim() ?? '', now)
  if (!invitation) throw noInvitation()
  return invitation
}

export function noInvitation(): Refusal {
  return new Refusal(404, {
    title: 'This invitation does not work',
    message:
      'An invitation works once, within 72 hours. If you have accepted it already, sign in. Otherwise ask an owner of your organisation for a new one.',
  })
}

export function forSomebodyElse(): Refusal {
  return new Refusal(403, {
    title: 'This invitation is for somebody else',
    message:
      'It names another e-mail address than that of your account. Sign out, and open the link again.',
  })
}
