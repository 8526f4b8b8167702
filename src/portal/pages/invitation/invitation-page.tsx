import type { Invitation } from '../../../accounts/invitation.js'
import { MIN_PASSWORD_LENGTH } from '../../../accounts/password.js'
import { signInNameSuffix } from '../../../accounts/sign-in-name.js'
import { Card } from '../../components/card.js'
import { Field } from '../../components/field.js'
import { NewPasswordField } from '../../components/new-password-field.js'
import { ErrorNotice } from '../../components/notices.js'
import { LinkSecret } from '../../components/open-link-page.js'
import { PostForm } from '../../components/post-form.js'
import { SingleSignOnLink } from '../../components/single-sign-on-link.js'
import { PlainPage } from '../../layout.js'
import { ROLE_DESCRIPTIONS } from '../../role-descriptions.js'
import type { MemberVisit, Visit } from '../../visit.js'

interface InvitationPageProps {
  visit: Visit
  invitation: Invitation
  problem?: string | undefined
}

const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters; a few random words work well.`

/** Offers to join with a new or an existing account. */
export function InvitationPage({ visit, invitation, problem }: InvitationPageProps) {
  return (
    <PlainPage
      visit={visit}
      title={`Join ${invitation.organizationName}`}
      scripts={['sign-in-name.ts']}
    >
      <RoleOffer invitation={invitation} />
      {problem && <ErrorNotice>{problem}</ErrorNotice>}
      {invitation.email === null ? (
        <>
          <NewAccountCard visit={visit} invitation={invitation} />
          <ExistingAccountCard visit={visit} />
        </>
      ) : (
        <AddressCard visit={visit} email={invitation.email} />
      )}
      <SingleSignOnLink visit={visit} query={{ invitation: 'yes' }} />
    </PlainPage>
  )
}

/** For the owner of the address that the invitation names, with or without an account. */
function AddressCard({ visit, email }: { visit: Visit; email: string }) {
  return (
    <div class="card">
      <form method="post" action="/portal/invitation/address">
        <LinkSecret visit={visit} />
        <Field
          name="name"
          label="E-mail address"
          type="email"
          autocomplete="username"
          readonly
          value={email}
        />
        <NewPasswordField
          hint={`${PASSWORD_HINT} If you already have an account, enter its password.`}
        />
        <button type="submit" class="primary">
          Join
        </button>
      </form>
    </div>
  )
}

function NewAccountCard({ visit, invitation }: { visit: Visit; invitation: Invitation }) {
  const suffix = signInNameSuffix(visit.services.secret, invitation.id)
  return (
    <Card title="Create an account">
      <form method="post" action="/portal/invitation/new-account">
        <LinkSecret visit={visit} />
        <Field
          name="name"
          label="Sign-in name"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
          data-name-suffix={suffix}
          value={visit.form.get('name') ?? ''}
          hint={
            <>
              Letters, digits, dots and hyphens. The ending <code class="nowrap">{suffix}</code> is
              added to it.
            </>
          }
        />
        <NewPasswordField hint={PASSWORD_HINT} />
        <button type="submit" class="primary">
          Join
        </button>
      </form>
    </Card>
  )
}

function ExistingAccountCard({ visit }: { visit: Visit }) {
  return (
    <Card title="Use the account that you have">
      <form method="post" action="/portal/invitation/existing-account">
        <LinkSecret visit={visit} />
        <Field
          id="own-name"
          name="name"
          label="Your sign-in name or e-mail address"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <Field
          id="own-password"
          name="password"
          label="Your password"
          type="password"
          autocomplete="current-password"
          required
        />
        <button type="submit">Join with this account</button>
      </form>
    </Card>
  )
}

/** Offers somebody who is signed in to join with that account. */
export function JoinPage({ visit, invitation }: { visit: MemberVisit; invitation: Invitation }) {
  return (
    <PlainPage visit={visit} title={`Join ${invitation.organizationName}`}>
      <RoleOffer invitation={invitation} />
      <div class="card">
        <PostForm visit={visit} action="/portal/invitation/join">
          <LinkSecret visit={visit} />
          <p>
            You are signed in as <strong>{visit.session.signInName}</strong>.
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
