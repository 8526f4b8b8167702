import { isWellFormedToken } from '../../../accounts/link-token.js'
import { findPasswordReset, resetPassword } from '../../../accounts/password-reset.js'
import { describePasswordProblem, MIN_PASSWORD_LENGTH } from '../../../accounts/password.js'
import { signInAccount } from '../../../accounts/sign-in.js'
import { Field } from '../../components/field.js'
import { NewPasswordField } from '../../components/new-password-field.js'
import { ErrorNotice } from '../../components/notices.js'
import { LINK_FIELD, LinkSecret, OpenLinkPage } from '../../components/open-link-page.js'
import { PlainPage } from '../../layout.js'
import { Refusal } from '../../refusal.js'
import { page, redirect, type RouteReply } from '../../reply.js'
import type { Visit } from '../../visit.js'

const TITLE = 'Choose a new password'

/** The page that a reset link opens. */
export function openPasswordReset(visit: Visit): RouteReply {
  return page(<OpenLinkPage visit={visit} title={TITLE} action="/portal/reset" />)
}

/** Links of versions before 0.3.0 have the secret in the path. They work until they expire, 24 hours after the upgrade. */
export function openOldPasswordReset({ params: { token = '' } }: Visit): RouteReply {
  if (!isWellFormedToken(token)) throw noReset()
  return redirect(`/portal/reset#${token}`)
}

/** Shows the form for the account whose secret the form carries. */
export async function showPasswordReset(visit: Visit): Promise<RouteReply> {
  const { signInName } = await requireReset(visit)
  return page(<PasswordResetPage visit={visit} signInName={signInName} />)
}

export async function setNewPassword(visit: Visit): Promise<RouteReply> {
  const { services, form, device, now } = visit
  const { accountId, signInName } = await requireReset(visit)
  const password = form.get('password') ?? ''
  const problem = describePasswordProblem(password, signInName)
  if (problem !== undefined) {
    return page(<PasswordResetPage {...{ visit, signInName, problem }} />, 400)
  }
  const act = { actor: `portal:${accountId}`, now }
  const browserToken = await resetPassword(
    services,
    { token: tokenOf(visit), accountId, password },
    act,
  )
  if (browserToken === undefined) throw noReset()
  const sessionToken = await signInAccount(services, { accountId, device, now })
  return { ...redirect('/portal'), sessionToken: sessionToken ?? null, browserToken }
}

async function requireReset(visit: Visit) {
  const reset = await findPasswordReset(visit.services, tokenOf(visit), visit.now)
  if (!reset) throw noReset()
  return reset
}

function tokenOf({ form }: Visit): string {
  return form.get(LINK_FIELD)?.trim() ?? ''
}

function noReset(): Refusal {
  return new Refusal(404, {
    title: 'This link does not work',
    message: 'It works once, within 24 hours. Ask the operator of the service for a new one.',
  })
}

interface PasswordResetPageProps {
  visit: Visit
  signInName: string
  problem?: string
}

function PasswordResetPage({ visit, signInName, problem }: PasswordResetPageProps) {
  return (
    <PlainPage visit={visit} title={TITLE}>
      {problem && <ErrorNotice>{problem}</ErrorNotice>}
      <div class="card">
        <form method="post" action="/portal/reset/password">
          <LinkSecret visit={visit} />
          <Field
            name="name"
            label="Sign-in name"
            autocomplete="username"
            readonly
            value={signInName}
          />
          <NewPasswordField
            label="New password"
            hint={`At least ${MIN_PASSWORD_LENGTH} characters. You will be signed out everywhere else, and single sign-on is disconnected.`}
          />
          <button type="submit" class="primary">
            Set password
          </button>
        </form>
      </div>
    </PlainPage>
  )
}
