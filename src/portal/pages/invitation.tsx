import { acceptByPassword, acceptInvitation } from '../../accounts/accept-invitation.js'
import { parseEmail } from '../../accounts/account.js'
import { describeDevice } from '../device.js'
import { findInvitation, type Invitation } from '../../accounts/invitation.js'
import { MIN_PASSWORD_LENGTH } from '../../accounts/password.js'
import { ROLE_MEANINGS } from '../../accounts/role.js'
import { endSession } from '../../accounts/session.js'
import { Field } from '../components/field.js'
import { ErrorNotice } from '../components/notices.js'
import { PostForm } from '../components/post-form.js'
import { SingleSignOn } from '../components/single-sign-on.js'
import { asMember } from '../start-visit.js'
import { PlainPage } from '../layout.js'
import { Refusal } from '../refusal.js'
import { page, redirect, type RouteReply } from '../reply.js'
import type { MemberVisit, Visit } from '../visit.js'
import { waitingTime } from '../waiting-time.js'

export async function showInvitation(visit: Visit): Promise<RouteReply> {
  const invitation = await requireInvitation(visit)
  const { session } = visit
  if (!session) return page(<InvitationPage visit={visit} invitation={invitation} />)
  return page(<JoinPage visit={await asMember(visit, session)} invitation={invitation} />)
}

/** With a new account, or that of the address and its password. */
export async function acceptAsNewcomer(visit: Visit): Promise<RouteReply> {
  const { context, form, request, now } = visit
  const invitation = await requireInvitation(visit)
  const answer = (problem: string, status: number) =>
    page(<InvitationPage visit={visit} invitation={invitation} problem={problem} />, status)
  const email = invitation.email ?? parseEmail(form.get('email'))
  if (email === undefined) return answer('Enter your e-mail address.', 400)
  const outcome = await acceptByPassword(context, invitation, {
    email,
    password: form.get('password') ?? '',
    address: request.ip ?? '',
    device: describeDevice(request.headers['user-agent']),
    now,
  })
  switch (outcome.kind) {
    case 'accepted':
      if (visit.session) await endSession(context.db, visit.session.tokenHash)
      return { ...redirect('/portal'), sessionToken: outcome.sessionToken }
    case 'gone':
      throw noInvitation()
    case 'unfit-password':
      return answer(outcome.problem, 400)
    case 'wrong-password':
      return answer('There is an account with this address. Enter its password.', 401)
    case 'too-many':
      return {
        ...answer(`Too many attempts. Wait ${waitingTime(outcome.waitMs)}, then try again.`, 429),
        retryAfterSeconds: Math.ceil(outcome.waitMs / 1_000),
      }
  }
}

/** With the account that is signed in. */
export async function acceptAsMember(visit: MemberVisit): Promise<RouteReply> {
  const { context, session, request, now } = visit
  const invitation = await requireInvitation(visit)
  if (invitation.email !== null && invitation.email !== session.email) {
    throw new Refusal(403, {
      title: 'This invitation is for somebody else',
      message: 'It names another e-mail address than yours. Sign out, and open the link again.',
    })
  }
  const outcome = await acceptInvitation(context, invitation, {
    accountId: session.accountId,
    device: describeDevice(request.headers['user-agent']),
    now,
  })
  if (outcome.kind === 'gone') throw noInvitation()
  await endSession(context.db, session.tokenHash)
  return { ...redirect('/portal'), sessionToken: outcome.sessionToken }
}

async function requireInvitation({ context, params, now }: Visit): Promise<Invitation> {
  const invitation = await findInvitation(context, params.token ?? '', now)
  if (!invitation) throw noInvitation()
  return invitation
}

function noInvitation(): Refusal {
  return new Refusal(404, {
    title: 'This invitation does not work',
    message:
      'An invitation works once, within 72 hours. Ask an owner of your organisation for a new one, or sign in if you have accepted it already.',
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
            hint={`Choose one with ${MIN_PASSWORD_LENGTH} characters or more: a few random words are a good one. If you have an account already, enter its password.`}
          />
          <button type="submit" class="primary">
            Join
          </button>
        </form>
        <SingleSignOn visit={visit} query={{ invitation: visit.params.token ?? '' }} />
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
      You are invited as <strong>{role}</strong>. {ROLE_MEANINGS[role]}
    </p>
  )
}
