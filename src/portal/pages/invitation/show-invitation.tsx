import { acceptByPassword, acceptInvitation } from '../../../accounts/accept-invitation.js'
import { parseEmail } from '../../../accounts/account.js'
import { findInvitation, type Invitation } from '../../../accounts/invitation.js'
import { MIN_PASSWORD_LENGTH } from '../../../accounts/password.js'
import { endSession } from '../../../accounts/session.js'
import { Field } from '../../components/field.js'
import { ErrorNotice } from '../../components/notices.js'
import { PostForm } from '../../components/post-form.js'
import { SingleSignOnLink } from '../../components/single-sign-on-link.js'
import { formatWaitingTime } from '../../format-waiting-time.js'
import { PlainPage } from '../../layout.js'
import { Refusal } from '../../refusal.js'
import { page, redirect, type RouteReply } from '../../reply.js'
import { ROLE_DESCRIPTIONS } from '../../role-descriptions.js'
import { toMemberVisit } from '../../start-visit.js'
import type { MemberVisit, Visit } from '../../visit.js'

export async function showInvitation(visit: Visit): Promise<RouteReply> {
  const invitation = await requireInvitation(visit)
  const { session } = visit
  if (!session) return page(<InvitationPage visit={visit} invitation={invitation} />)
  return page(<JoinPage visit={await toMemberVisit(visit, session)} invitation={invitation} />)
}

/** Accepts the invitation with a new account, or with an existing one by its password. */
export async function acceptAsNewcomer(visit: Visit): Promise<RouteReply> {
  const { services, form, address, device, now } = visit
  const invitation = await requireInvitation(visit)
  const refuse = (problem: string, status: number) =>
    page(<InvitationPage visit={visit} invitation={invitation} problem={problem} />, status)
  const email = invitation.email ?? parseEmail(form.get('email'))
  if (email === undefined) return refuse('Enter your e-mail address.', 400)
  const password = form.get('password') ?? ''
  const signIn = { email, password, address, device, now }
  const outcome = await acceptByPassword(services, invitation, signIn)
  switch (outcome.kind) {
    case 'accepted':
      if (visit.session) await endSession(services.db, visit.session.tokenHash)
      return { ...redirect('/portal'), sessionToken: outcome.sessionToken }
    case 'gone':
      throw noInvitation()
    case 'weak-password':
      return refuse(outcome.problem, 400)
    case 'wrong-password':
      return refuse('An account with this address exists. Enter its password.', 401)
    case 'too-many-attempts': {
      const wait = formatWaitingTime(outcome.waitMs)
      return {
        ...refuse(`Too many attempts. Wait ${wait}, then try again.`, 429),
        retryAfterSeconds: Math.ceil(outcome.waitMs / 1_000),
      }
    }
  }
}

/** Accepts the invitation with the account that is signed in. */
export async function acceptAsMember(visit: MemberVisit): Promise<RouteReply> {
  const { services, session, device, now } = visit
  const { accountId } = session
  const invitation = await requireInvitation(visit)
  if (invitation.email !== null && invitation.email !== session.email) {
    throw new Refusal(403, {
      title: 'This invitation is for somebody else',
      message: 'It names another e-mail address than yours. Sign out, and open the link again.',
    })
  }
  const outcome = await acceptInvitation(services, invitation, { accountId, device, now })
  if (outcome.kind === 'gone') throw noInvitation()
  await endSession(services.db, session.tokenHash)
  return { ...redirect('/portal'), sessionToken: outcome.sessionToken }
}

async function requireInvitation({ services, params, now }: Visit): Promise<Invitation> {
  const invitation = await findInvitation(services, params.token ?? '', now)
  if (!invitation) throw noInvitation()
  return invitation
}

function noInvitation(): Refusal {
  return new Refusal(404, {
    title: 'This invitation does not work',
    message:
      'An invitation works once, within 72 hours. If you have accepted it already, sign in. Otherwise ask an owner of your organisation for a new one.',
  })
}

interface InvitationPageProps {
  visit: Visit
  invitation: Invitation
  problem?: string
}

function InvitationPage({ visit, invitation, problem }: InvitationPageProps) {
  return (
    <PlainPage visit={visit} title={`Join ${invitation.organizationName}`}>
      <RoleOffer invitation={invitation} />
      {problem && <ErrorNotice>{problem}</ErrorNotice>}
      <div class="card">
        <form method="post" action={`/portal/invitation/${visit.params.token}`}>
          <Field
            name="email"
            label="E-mail address"
            type="email"
            autocomplete="username"
            required
            readonly={invitation.email !== null}
            value={invitation.email ?? visit.form.get('email') ?? ''}
          />
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="new-password"
            required
            hint={`At least ${MIN_PASSWORD_LENGTH} characters; a few random words work well. If you already have an account, enter its password.`}
          />
          <button type="submit" class="primary">
            Join
          </button>
        </form>
        <SingleSignOnLink visit={visit} query={{ invitation: visit.params.token ?? '' }} />
      </div>
    </PlainPage>
  )
}

function JoinPage({ visit, invitation }: { visit: MemberVisit; invitation: Invitation }) {
  return (
    <PlainPage visit={visit} title={`Join ${invitation.organizationName}`}>
      <RoleOffer invitation={invitation} />
      <div class="card">
        <PostForm visit={visit} action={`/portal/invitation/${visit.params.token}/join`}>
          <p>
            You are signed in as <strong>{visit.session.email}</strong>.
          </p>
          <button type="submit" class="primary">
            Join with this account
          </button>
        </PostForm>
      </div>
    </PlainPage>
  )
}

function RoleOffer({ invitation: { role } }: { invitation: Invitation }) {
  return (
    <p class="lead">
      You are invited as <strong>{role}</strong>. {ROLE_DESCRIPTIONS[role]}
    </p>
  )
}
