import { findPasswordReset, resetPassword } from '../../../accounts/password-reset.js'
import { describePasswordProblem, MIN_PASSWORD_LENGTH } from '../../../accounts/password.js'
import { signInAccount } from '../../../accounts/sign-in.js'
import { Field } from '../../components/field.js'
import { ErrorNotice } from '../../components/notices.js'
import { PlainPage } from '../../layout.js'
import { Refusal } from '../../refusal.js'
import { page, redirect, type RouteReply } from '../../reply.js'
import type { Visit } from '../../visit.js'

export async function showPasswordReset(visit: Visit): Promise<RouteReply> {
  const { email } = await requireReset(visit)
  return page(<PasswordResetPage visit={visit} email={email} />)
}

export async function setNewPassword(visit: Visit): Promise<RouteReply> {
  const { services, form, params, device, now } = visit
  const { accountId, email } = await requireReset(visit)
  const password = form.get('password') ?? ''
  const problem = describePasswordProblem(password, email)
  if (problem !== undefined) {
    return page(<PasswordResetPage visit={visit} email={email} problem={problem} />, 400)
  }
  const act = { actor: `portal:${accountId}`, now }
  const isSet = await resetPassword(
    services,
    { token: params.token ?? '', accountId, password },
    act,
  )
  if (!isSet) throw noReset()
  const sessionToken = await signInAccount(services, { accountId, device, now })
  return { ...redirect('/portal'), sessionToken: sessionToken ?? null }
}

async function requireReset({ services, params, now }: Visit) {
  const reset = await findPasswordReset(services, params.token ?? '', now)
  if (!reset) throw noReset()
  return reset
}

function noReset(): Refusal {
  return new Refusal(404, {
    title: 'This link does not work',
    message: 'It works once, within 24 hours. Ask the operator of the service for a new one.',
  })
}

interface PasswordResetPageProps {
  visit: Visit
  email: string
  problem?: string
}

function PasswordResetPage({ visit, email, problem }: PasswordResetPageProps) {
  return (
    <PlainPage visit={visit} title="Choose a new password">
      {problem && <ErrorNotice>{problem}</ErrorNotice>}
      <div class="card">
        <form method="post" action={`/portal/reset/${visit.params.token}`}>
          <Field
            name="email"
            label="E-mail address"
            type="email"
            autocomplete="username"
            readonly
            value={email}
          />
          <Field
            name="password"
            label="New password"
            type="password"
            autocomplete="new-password"
            required
            hint={`At least ${MIN_PASSWORD_LENGTH} characters. You will be signed out everywhere else.`}
          />
          <button type="submit" class="primary">
            Set password
          </button>
        </form>
      </div>
    </PlainPage>
  )
}
