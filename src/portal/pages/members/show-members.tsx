import { listInvitations, type Invitation } from '../../../accounts/invitation.js'
import { listMembers, type MemberSummary } from '../../../accounts/members.js'
import { ROLES } from '../../../accounts/role.js'
import { Ago } from '../../components/ago.js'
import { Card } from '../../components/card.js'
import { ConfirmForm } from '../../components/confirm-form.js'
import { DataTable, type Column } from '../../components/data-table.js'
import { Moment } from '../../components/moment.js'
import { DoneNotice, ErrorNotice } from '../../components/notices.js'
import { PostForm } from '../../components/post-form.js'
import { Page } from '../../layout.js'
import { page, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import { InvitationLinkCard, InviteCard } from './invite-card.js'

/** Confirmations by the value of `?done=`. */
const DONE: Record<string, string> = {
  role: 'The role is changed. The member has to sign in again.',
  removed: 'The member is removed and signed out.',
  withdrawn: 'The invitation is withdrawn.',
}

/** The result of the form that was just sent. */
export interface MembersResult {
  /** Link of a new invitation, which is shown once. */
  link?: string
  problem?: string
}

export function showMembers(visit: MemberVisit): Promise<RouteReply> {
  return membersPage(visit, {})
}

export async function membersPage(
  visit: MemberVisit,
  result: MembersResult,
  status = 200,
): Promise<RouteReply> {
  const { db } = visit.services
  const { organizationId } = visit.session
  const members = await listMembers(db, organizationId)
  const invitations = await listInvitations(db, organizationId, visit.now)
  return page(<MembersPage {...{ visit, result, members, invitations }} />, status)
}

interface MembersPageProps {
  visit: MemberVisit
  result: MembersResult
  members: readonly MemberSummary[]
  invitations: readonly Invitation[]
}

function MembersPage({ visit, result, members, invitations }: MembersPageProps) {
  const done = DONE[visit.query.get('done') ?? '']
  return (
    <Page
      visit={visit}
      title="Members"
      lead={`Who may use the portal of ${visit.session.organizationName}.`}
      scripts={['copy-buttons.ts']}
    >
      {done && <DoneNotice>{done}</DoneNotice>}
      {result.problem && <ErrorNotice>{result.problem}</ErrorNotice>}
      {result.link && <InvitationLinkCard link={result.link} />}
      <Card title="Members">
        <DataTable
          caption="Members of the organisation"
          columns={memberColumns(visit)}
          rows={members}
          rowKey={({ accountId }) => accountId}
          stacks
        />
      </Card>
      {invitations.length > 0 && (
        <Card title="Open invitations">
          <DataTable
            caption="Invitations that nobody has accepted yet"
            columns={invitationColumns(visit)}
            rows={invitations}
            rowKey={({ id }) => id}
            stacks
          />
        </Card>
      )}
      <InviteCard visit={visit} />
    </Page>
  )
}

function memberColumns(visit: MemberVisit): Column<MemberSummary>[] {
  return [
    {
      label: 'Member',
      cell: (member) => (
        <>
          {member.signInName}{' '}
          {member.accountId === visit.session.accountId && <span class="badge accent">you</span>}
          <AddressNote member={member} />
        </>
      ),
    },
    { label: 'Role', cell: (member) => <RoleForm visit={visit} member={member} /> },
    {
      label: 'Last sign-in',
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? 'never' : <Ago at={lastSignInAt} now={visit.now} />,
    },
    { label: 'Joined', cell: ({ joinedAt }) => <Ago at={joinedAt} now={visit.now} /> },
    {
      label: 'Actions',
      cell: ({ accountId, signInName }) => (
        <ConfirmForm
          id={`remove-${accountId}`}
          visit={visit}
          action={`/portal/members/${accountId}/remove`}
          label="Remove"
          question={`Remove ${signInName}?`}
          confirm="Remove"
        >
          <p>They are signed out at once and need a new invitation to come back.</p>
        </ConfirmForm>
      ),
    },
  ]
}

/** What is known about the address of a member, unless it is verified and the name shown. */
function AddressNote({ member: { signInName, email } }: { member: MemberSummary }) {
  if (email === signInName) return null
  if (email !== null) return <span class="muted">{email}</span>
  return signInName.includes('@') ? <span class="badge">address not verified</span> : null
}

function RoleForm({ visit, member }: { visit: MemberVisit; member: MemberSummary }) {
  return (
    <PostForm visit={visit} action={`/portal/members/${member.accountId}/role`} class="inline-form">
      <select name="role" aria-label={`Role of ${member.signInName}`}>
        {ROLES.map((role) => (
          <option key={role} value={role} selected={role === member.role}>
            {role}
          </option>
        ))}
      </select>
      <button type="submit">Change</button>
    </PostForm>
  )
}

function invitationColumns(visit: MemberVisit): Column<Invitation>[] {
  return [
    { label: 'For', cell: ({ email }) => email ?? 'Anyone with the link' },
    { label: 'Role', cell: ({ role }) => role },
    { label: 'Works until', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    {
      label: 'Actions',
      cell: ({ id }) => (
        <PostForm visit={visit} action={`/portal/members/invitations/${id}/withdraw`}>
          <button type="submit" class="danger-quiet">
            Withdraw
          </button>
        </PostForm>
      ),
    },
  ]
}
