import { endSession } from '../../../accounts/session.js'
import { parseSignInName } from '../../../accounts/sign-in-name.js'
import { signInByPassword } from '../../../accounts/sign-in.js'
import { supportsPasskeys } from '../../../accounts/webauthn.js'
import { Field } from '../../components/field.js'
import { DoneNotice, ErrorNotice } from '../../components/notices.js'
import { SingleSignOnLink } from '../../components/single-sign-on-link.js'
import { formatWaitingTime } from '../../format-waiting-time.js'
import { PlainPage } from '../../layout.js'
import { page, redirect, type RouteReply } from '../../reply.js'
import { parseReturnPath } from '../../return-path.js'
import type { MemberVisit, Visit } from '../../visit.js'

export function showSignIn(visit: Visit): RouteReply {
  if (visit.session) return redirect(parseReturnPath(visit.query.get('next')))
  return page(<SignInPage visit={visit} />)
}

export async function signIn(visit: Visit): Promise<RouteReply> {
  const { services, form, address, browserToken, device, now } = visit
  const signInName = parseSignInName(form.get('name'))
  const password = form.get('password') ?? ''
  if (signInName === undefined || password === '') {
    return page(
      <SignInPage
        visit={visit}
        problem="Enter your sign-in name or e-mail address, and your password."
      />,
      400,
    )
  }
  const outcome = await signInByPassword(services, {
    signInName,
    password,
    address,
    browserToken,
    device,
    now,
  })
  switch (outcome.kind) {
    case 'signed-in': {
      // The new session replaces the one this browser had.
      if (visit.session) await endSession(services.db, visit.session.tokenHash)
      return {
        ...redirect(parseReturnPath(form.get('next'))),
        sessionToken: outcome.sessionToken,
        browserToken: outcome.browserToken,
      }
    }
    case 'refused':
      return page(<SignInPage visit={visit} problem="The name or the password is wrong." />, 401)
    case 'too-many-attempts': {
      const problem = `Too many attempts. Wait ${formatWaitingTime(outcome.waitMs)}, then try again.`
      return {
        ...page(<SignInPage visit={visit} problem={problem} />, 429),
        retryAfterSeconds: Math.ceil(outcome.waitMs / 1_000),
      }
    }
  }
}

export async function signOut({ services, session }: MemberVisit): Promise<RouteReply> {
  await endSession(services.db, session.tokenHash)
  return { ...redirect('/portal/sign-in?done=signed-out'), sessionToken: null }
}

/** Needs the browser module `passkeys.ts`; without it the button stays hidden. */
function PasskeyForm({ visit, next }: { visit: Visit; next: string | null }) {
  if (!supportsPasskeys(visit.publicUrl)) return null
  return (
    <form method="post" action="/portal/sign-in/passkey" data-passkey="sign-in">
      {next && <input type="hidden" name="next" value={next} />}
      <p class="field-error" role="alert" data-passkey-problem />
      <button type="submit" hidden>
        Sign in with a passkey
      </button>
    </form>
  )
}

function SignInPage({ visit, problem }: { visit: Visit; problem?: string }) {
  const { form, query } = visit
  const next = form.get('next') ?? query.get('next')
  return (
    <PlainPage visit={visit} title="Sign in" scripts={['passkeys.ts']}>
      {query.get('done') === 'signed-out' && !problem && (
        <DoneNotice>You are signed out.</DoneNotice>
      )}
      {problem && <ErrorNotice>{problem}</ErrorNotice>}
      <div class="card">
        <form method="post" action="/portal/sign-in">
          {next && <input type="hidden" name="next" value={next} />}
          <Field
            name="name"
            label="Sign-in name or e-mail address"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            required
            value={form.get('name') ?? ''}
          />
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            required
          />
          <button type="submit" class="primary">
            Sign in
          </button>
        </form>
        <SingleSignOnLink visit={visit} query={next ? { next } : {}} />
        <PasskeyForm visit={visit} next={next} />
      </div>
      <p class="hint">
        New here? Ask your organisation for an invitation. If you forgot your password, ask the
        operator of this service for a reset link.
      </p>
    </PlainPage>
  )
}
