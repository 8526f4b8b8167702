import {
  changePassword,
  disconnectIdentities,
  listOwnMemberships,
  signOutEverywhere,
} from '../../../accounts/own-account.js'
import { endSession, startSession } from '../../../accounts/session.js'
import { formatWaitingTime } from '../../format-waiting-time.js'
import { notFound } from '../../refusal.js'
import { redirect, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import { accountPage } from './show-account.js'

export async function changeOwnPassword(visit: MemberVisit): Promise<RouteReply> {
  const { services, session, form, address, device } = visit
  const outcome = await changePassword(
    services,
    {
      session,
      current: form.get('current') ?? '',
      password: form.get('password') ?? '',
      address,
      device,
    },
    visit.act,
  )
  switch (outcome.kind) {
    case 'changed':
      return {
        ...redirect('/portal/account?done=password'),
        sessionToken: outcome.sessionToken,
        browserToken: outcome.browserToken,
      }
    case 'wrong-password':
      return accountPage(visit, 'The current password is wrong.', 400)
    case 'weak-password':
      return accountPage(visit, outcome.problem, 400)
    case 'too-many-attempts': {
      const wait = formatWaitingTime(outcome.waitMs)
      return accountPage(visit, `Too many attempts. Wait ${wait}, then try again.`, 429)
    }
  }
}

export async function endAllSessions({ services, session, act }: MemberVisit): Promise<RouteReply> {
  await signOutEverywhere(services, session.accountId, act)
  return { ...redirect('/portal/sign-in?done=signed-out'), sessionToken: null }
}

/** Takes single sign-on away from an account that has a password. */
export async function disconnectSingleSignOn(visit: MemberVisit): Promise<RouteReply> {
  const { services, session, act } = visit
  await disconnectIdentities(services, session.accountId, act)
  return redirect('/portal/account?done=disconnected')
}

/** Replaces the session by one in another organisation of the account. */
export async function switchOrganization(visit: MemberVisit): Promise<RouteReply> {
  const { services, session, form, device, now } = visit
  const { accountId } = session
  const memberships = await listOwnMemberships(services.db, accountId)
  const target = memberships.find(
    ({ organizationId }) => organizationId === form.get('organization'),
  )
  if (!target) throw notFound()
  await endSession(services.db, session.tokenHash)
  const { organizationId } = target
  const sessionToken = await startSession(services, { accountId, organizationId, device, now })
  return { ...redirect('/portal'), sessionToken }
}
