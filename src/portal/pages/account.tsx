import { describeDevice } from '../device.js'
import {
  changePassword,
  findSignInWays,
  listOwnMemberships,
  signOutEverywhere,
  type OwnMembership,
  type SignInWays,
} from '../../accounts/own-account.js'
import { MIN_PASSWORD_LENGTH } from '../../accounts/password.js'
import {
  endSession,
  listSessions,
  startSession,
  type SessionSummary,
} from '../../accounts/session.js'
import { Card } from '../components/card.js'
import { DataTable, type Column } from '../components/data-table.js'
import { Field } from '../components/field.js'
import { Moment } from '../components/moment.js'
import { DoneNotice, ErrorNotice } from '../components/notices.js'
import { PostForm } from '../components/post-form.js'
import { SingleSignOn } from '../components/single-sign-on.js'
import { Page } from '../layout.js'
import { notFound } from '../refusal.js'
import { page, redirect, type RouteReply } from '../reply.js'
import type { MemberVisit } from '../visit.js'
import { waitingTime } from '../waiting-time.js'

export function showAccount(visit: MemberVisit): Promise<RouteReply> {
  return accountPage(visit)
}

export async function changeOwnPassword(visit: MemberVisit): Promise<RouteReply> {
  const { context, session, form, request, now } = visit
  const outcome = await changePassword(
    context,
    {
      session,
      current: form.get('current') ?? '',
      password: form.get('password') ?? '',
      attempt: { email: session.email, address: request.ip ?? '', now },
      device: describeDevice(request.headers['user-agent']),
    },
    visit.act,
  )
  switch (outcome.kind) {
    case 'changed':
      return { ...redirect('/portal/account?done=password'), sessionToken: outcome.sessionToken }
    case 'wrong-password':
      return accountPage(visit, 'The current password is not right.', 400)
    case 'unfit-password':
      return accountPage(visit, outcome.problem, 400)
    case 'too-many':
      return accountPage(visit, `Too many attempts. Wait ${waitingTime(outcome.waitMs)}.`, 429)
  }
}

export async function endAllSessions({ context, session, act }: MemberVisit): Promise<RouteReply> {
  await signOutEverywhere(context.db, session.accountId, act)
  return { ...redirect('/portal/sign-in?done=signed-out'), sessionToken: null }
}

/** Looks at another organisation from now on, with a session of its own. */
export async function switchOrganization(visit: MemberVisit): Promise<RouteReply> {
  const { context, session, form, request, now } = visit
  const { accountId } = session
  const memberships = await listOwnMemberships(context.db, accountId)
  const wanted = memberships.find(
    ({ organizationId }) => organizationId === form.get('organization'),
  )
  if (!wanted) throw notFound()
  await endSession(context.db, session.tokenHash)
  const { organizationId } = wanted
  const device = describeDevice(request.headers['user-agent'])
  const sessionToken = await startSession(context, { accountId, organizationId, device, now })
  return { ...redirect('/portal'), sessionToken }
}

async function accountPage(
  visit: MemberVisit,
  problem?: string,
  status = 200,
): Promise<RouteReply> {
  const { context, session, now } = visit
  const sessions = await listSessions(context.db, session.accountId, now)
  const memberships = await listOwnMemberships(context.db, session.accountId)
  const ways = await findSignInWays(context.db, session.accountId)
  return page(<AccountPage {...{ visit, problem, sessions, memberships, ways }} />, status)
}

interface AccountPageProps {
  visit: MemberVisit
  problem: string | undefined
  sessions: readonly SessionSummary[]
  memberships: readonly OwnMembership[]
  ways: SignInWays
}

function AccountPage({ visit, problem, sessions, memberships, ways }: AccountPageProps) {
  return (
    <Page visit={visit} title="Your account" lead={visit.session.email}>
      {visit.query.get('done') === 'password' && !problem && (
        <DoneNotice>Your password is changed, and other browsers are signed out.</DoneNotice>
      )}
      {visit.query.get('done') === 'connected' && (
        <DoneNotice>You can sign in with single sign-on from now on.</DoneNotice>
      )}
      {problem && <ErrorNotice>{problem}</ErrorNotice>}
      {memberships.length > 1 && <OrganizationsCard visit={visit} memberships={memberships} />}
      <Card title="Where you are signed in">
        <DataTable
          caption="Browsers that are signed in with your account"
          columns={sessionColumns(visit)}
          rows={sessions}
          rowKey={({ tokenHash }) => tokenHash.toString('hex')}
          stacks
        />
        <PostForm visit={visit} action="/portal/account/sign-out-everywhere">
          <div class="button-row">
            <button type="submit">Sign out everywhere</button>
            <span class="hint">Sessions end by themselves after two hours without use.</span>
          </div>
        </PostForm>
      </Card>
      {ways.hasPassword && <PasswordCard visit={visit} />}
      {visit.context.identityProvider && (
        <Card title="Single sign-on">
          {ways.hasIdentity ? (
            <p>Your account is connected with {visit.context.identityProvider.label}.</p>
          ) : (
            <>
              <p>Connect it once, and sign in without your password from then on.</p>
              <SingleSignOn visit={visit} query={{ connect: 'yes' }} />
            </>
          )}
        </Card>
      )}
    </Page>
  )
}

function sessionColumns({ session }: MemberVisit): Column<SessionSummary>[] {
  return [
    {
      label: 'Browser',
      cell: ({ device, tokenHash }) => (
        <>
          {device}{' '}
          {tokenHash.equals(session.tokenHash) && <span class="badge accent">this one</span>}
        </>
      ),
    },
    { label: 'Signed in', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { label: 'Last used', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  ]
}

function PasswordCard({ visit }: { visit: MemberVisit }) {
  return (
    <Card title="Change your password">
      <PostForm visit={visit} action="/portal/account/password" class="form narrow">
        <Field
          name="current"
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
        />
        <Field
          name="password"
          label="New password"
          type="password"
          autocomplete="new-password"
          required
          hint={`${MIN_PASSWORD_LENGTH} characters or more. Other browsers are signed out.`}
        />
        <div class="button-row">
          <button type="submit" class="primary">
            Change password
          </button>
        </div>
      </PostForm>
    </Card>
  )
}

interface OrganizationsCardProps {
  visit: MemberVisit
  memberships: readonly OwnMembership[]
}

function OrganizationsCard({ visit, memberships }: OrganizationsCardProps) {
  return (
    <Card title="Your organisations">
      <DataTable
        caption="Organisations that you are a member of"
        columns={[
          { label: 'Organisation', cell: ({ organizationName }) => organizationName },
          { label: 'Your role', cell: ({ role }) => role },
          {
            label: 'Shown',
            cell: ({ organizationId }) =>
              organizationId === visit.session.organizationId ? (
                <span class="badge accent">now</span>
              ) : (
                <PostForm visit={visit} action="/portal/account/organization">
                  <input type="hidden" name="organization" value={organizationId} />
                  <button type="submit">Show this one</button>
                </PostForm>
              ),
          },
        ]}
        rows={memberships}
        rowKey={({ organizationId }) => organizationId}
        stacks
      />
    </Card>
  )
}
