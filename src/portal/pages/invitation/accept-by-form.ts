import {
  acceptWithExistingAccount,
  acceptWithNewAccount,
  type ExistingAccountOutcome,
  type NewAccountOutcome,
} from '../../../accounts/accept-invitation.js'
import { findAccountBySignInName } from '../../../accounts/account.js'
import type { Invitation } from '../../../accounts/invitation.js'
import { endSession } from '../../../accounts/session.js'
import {
  completeSignInName,
  parseSignInName,
  signInNameSuffix,
} from '../../../accounts/sign-in-name.js'
import { formatWaitingTime } from '../../format-waiting-time.js'
import { redirect, type RouteReply } from '../../reply.js'
import type { Visit } from '../../visit.js'
import {
  forSomebodyElse,
  invitationPage,
  noInvitation,
  requireInvitation,
} from './show-invitation.js'

/** Accepts an invitation that names no address with a new account. The answer does not depend on other accounts. */
export async function acceptAsNewcomer(visit: Visit): Promise<RouteReply> {
  const { services, form } = visit
  const invitation = await requireInvitation(visit)
  if (invitation.email !== null) return acceptAsOwnerOfAddress(visit)
  const suffix = signInNameSuffix(services.secret, invitation.id)
  const signInName = completeSignInName(form.get('name'), suffix)
  if (signInName === undefined) {
    const problem = 'Choose a sign-in name of 2 to 33 letters, digits, dots and hyphens.'
    return invitationPage(visit, invitation, { problem, status: 400 })
  }
  const signIn = { ...signInOf(visit), signInName }
  const outcome = await acceptWithNewAccount(services, invitation, signIn)
  return replyTo(visit, invitation, outcome, '/portal/account?done=joined')
}

/** Accepts an invitation with an account that exists. */
export async function acceptWithOwnAccount(visit: Visit): Promise<RouteReply> {
  const invitation = await requireInvitation(visit)
  const signInName = parseSignInName(visit.form.get('name'))
  if (signInName === undefined) {
    return replyTo(visit, invitation, { kind: 'refused' })
  }
  const signIn = { ...signInOf(visit), signInName }
  return replyTo(
    visit,
    invitation,
    await acceptWithExistingAccount(visit.services, invitation, signIn),
  )
}

/** Accepts an invitation that names an address, with the account of that address or a new one. */
export async function acceptAsOwnerOfAddress(visit: Visit): Promise<RouteReply> {
  const { services } = visit
  const invitation = await requireInvitation(visit)
  if (invitation.email === null) return acceptAsNewcomer(visit)
  const signIn = { ...signInOf(visit), signInName: invitation.email }
  const hasAccount = await findAccountBySignInName(services.db, invitation.email)
  const outcome = hasAccount
    ? await acceptWithExistingAccount(services, invitation, signIn)
    : await acceptWithNewAccount(services, invitation, signIn)
  return replyTo(visit, invitation, outcome)
}

function signInOf({ form, address, browserToken, device, now }: Visit) {
  return { password: form.get('password') ?? '', address, browserToken, device, now }
}

async function replyTo(
  visit: Visit,
  invitation: Invitation,
  outcome: NewAccountOutcome | ExistingAccountOutcome,
  next: `/portal${string}` = '/portal',
): Promise<RouteReply> {
  const refuse = (problem: string, status: number) =>
    invitationPage(visit, invitation, { problem, status })
  switch (outcome.kind) {
    case 'accepted': {
      const { sessionToken, browserToken } = outcome
      if (visit.session) await endSession(visit.services.db, visit.session.tokenHash)
      return { ...redirect(next), sessionToken, browserToken, invitationToken: null }
    }
    case 'gone':
      throw noInvitation()
    case 'other-address':
      throw forSomebodyElse()
    case 'weak-password':
      return refuse(outcome.problem, 400)
    case 'name-taken':
      return refuse('Choose another name.', 409)
    case 'refused':
      return refuse(describeWrongPassword(invitation), 401)
    case 'too-many-attempts': {
      const wait = formatWaitingTime(outcome.waitMs)
      return {
        ...refuse(`Too many attempts. Wait ${wait}, then try again.`, 429),
        retryAfterSeconds: Math.ceil(outcome.waitMs / 1_000),
      }
    }
  }
}

function describeWrongPassword({ email }: Invitation): string {
  if (email === null) return 'The name or the password is wrong.'
  return 'An account with this address exists. Enter its password. If it is not yours or you forgot the password, ask the operator of the service for a reset link.'
}
