import {
  getSignInMethods,
  listOwnMemberships,
  type OwnMembership,
  type SignInMethods,
} from '../../../accounts/own-account.js'
import { MIN_PASSWORD_LENGTH } from '../../../accounts/password.js'
import { listPasskeys, type PasskeySummary } from '../../../accounts/passkey.js'
import { listSessions, type SessionSummary } from '../../../accounts/session.js'
import { Card } from '../../components/card.js'
import { DataTable, type Column } from '../../components/data-table.js'
import { Field } from '../../components/field.js'
import { Moment } from '../../components/moment.js'
import { NewPasswordField } from '../../components/new-password-field.js'
import { DoneNotice, ErrorNotice } from '../../components/notices.js'
import { PostForm } from '../../components/post-form.js'
import { SingleSignOnLink } from '../../components/single-sign-on-link.js'
import { Page } from '../../layout.js'
import { page, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import { PasskeysCard } from './passkeys-card.js'

/** Confirmations by the value of `?done=`. */
const DONE: Record<string, string> = {
  password: 'Your password is changed, and other browsers are signed out.',
  connected: 'You can now sign in with single sign-on.',
  'passkey-added': 'The passkey is added. You can sign in with it from now on.',
  'passkey-removed': 'The passkey is removed.',
  disconnected: 'Single sign-on is disconnected.',
}

export function showAccount(visit: MemberVisit): Promise<RouteReply> {
  return accountPage(visit)
}

/** @param problem - why a change was refused */
export async function accountPage(
  visit: MemberVisit,
  problem?: string,
  status = 200,
): Promise<RouteReply> {
  const { services, session, now } = visit
  const { accountId } = session
  const sessions = await listSessions(services.db, accountId, now)
  const memberships = await listOwnMemberships(services.db, accountId)
  const signInMethods = await getSignInMethods(services.db, accountId)
  const passkeys = await listPasskeys(services.db, accountId)
  return page(
    <AccountPage {...{ visit, problem, sessions, memberships, signInMethods, passkeys }} />,
    status,
  )
}

interface AccountPageProps {
  visit: MemberVisit
  problem: string | undefined
  sessions: readonly SessionSummary[]
  memberships: readonly OwnMembership[]
  signInMethods: SignInMethods
  passkeys: readonly PasskeySummary[]
}

function AccountPage(props: AccountPageProps) {
  const { visit, problem, sessions, memberships, signInMethods, passkeys } = props
  const { signInName } = visit.session
  const done = visit.query.get('done') ?? ''
  return (
    <Page visit={visit} title="Your account" lead={signInName} scripts={['passkeys.ts']}>
      {DONE[done] && !problem && <DoneNotice>{DONE[done]}</DoneNotice>}
      {done === 'joined' && !problem && (
        <DoneNotice>
          Welcome. Your sign-in name is <strong>{signInName}</strong>: you need it, with your
          password, to sign in again.
        </DoneNotice>
      )}
      {problem && <ErrorNotice>{problem}</ErrorNotice>}
      {memberships.length > 1 && <OrganizationsCard visit={visit} memberships={memberships} />}
      <SessionsCard visit={visit} sessions={sessions} />
      {signInMethods.hasPassword && <PasswordCard visit={visit} />}
      <PasskeysCard visit={visit} passkeys={passkeys} hasPassword={signInMethods.hasPassword} />
      <SingleSignOnCard visit={visit} signInMethods={signInMethods} />
    </Page>
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
                  <button type="submit">Switch to it</button>
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

interface SessionsCardProps {
  visit: MemberVisit
  sessions: readonly SessionSummary[]
}

function SessionsCard({ visit, sessions }: SessionsCardProps) {
  const columns: Column<SessionSummary>[] = [
    {
      label: 'Browser',
      cell: ({ device, tokenHash }) => (
        <>
          {device}{' '}
          {tokenHash.equals(visit.session.tokenHash) && <span class="badge accent">this one</span>}
        </>
      ),
    },
    { label: 'Signed in', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { label: 'Last used', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  ]
  return (
    <Card title="Where you are signed in">
      <DataTable
        caption="Browsers that are signed in with your account"
        columns={columns}
        rows={sessions}
        rowKey={({ tokenHash }) => tokenHash.toString('hex')}
        stacks
      />
      <PostForm visit={visit} action="/portal/account/sign-out-everywhere">
        <div class="button-row">
          <button type="submit">Sign out everywhere</button>
          <span class="hint">Sessions end automatically after two hours without use.</span>
        </div>
      </PostForm>
    </Card>
  )
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
        <NewPasswordField
          label="New password"
          hint={`At least ${MIN_PASSWORD_LENGTH} characters. Other browsers will be signed out.`}
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

interface SingleSignOnCardProps {
  visit: MemberVisit
  signInMethods: SignInMethods
}

function SingleSignOnCard({ visit, signInMethods }: SingleSignOnCardProps) {
  const { identityProvider } = visit.services
  if (!identityProvider) return null
  return (
    <Card title="Single sign-on">
      {signInMethods.hasIdentity ? (
        <>
          <p>Your account is connected with {identityProvider.label}.</p>
          {signInMethods.hasPassword && (
            <PostForm visit={visit} action="/portal/account/disconnect">
              <button type="submit">Disconnect</button>
            </PostForm>
          )}
        </>
      ) : (
        <>
          <p>Connect it once. After that you can sign in without your password.</p>
          <SingleSignOnLink visit={visit} query={{ connect: 'yes' }} />
        </>
      )}
    </Card>
  )
}
