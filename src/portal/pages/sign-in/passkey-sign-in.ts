import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { endSession } from '../../../accounts/session.js'
import { signInAccount } from '../../../accounts/sign-in.js'
import {
  beginAuthentication,
  finishAuthentication,
  supportsPasskeys,
} from '../../../accounts/webauthn.js'
import { openChallenge, sealChallenge } from '../../passkey-challenge.js'
import { notFound } from '../../refusal.js'
import { json, type RouteReply } from '../../reply.js'
import { parseReturnPath } from '../../return-path.js'
import type { Visit } from '../../visit.js'
import { parseResponse, problem } from '../account/change-passkeys.js'
import type { PasskeyAnswer } from '../account/passkey-answer.js'

export async function beginPasskeySignIn(visit: Visit): Promise<RouteReply> {
  const { services, publicUrl, now } = visit
  if (!supportsPasskeys(publicUrl)) throw notFound()
  const options = await beginAuthentication({ origin: publicUrl })
  const { challenge } = options
  return {
    ...json({ options } satisfies PasskeyAnswer),
    passkeyChallenge: sealChallenge(services.secret, { challenge, issuedAt: now, accountId: null }),
  }
}

export async function finishPasskeySignIn(visit: Visit): Promise<RouteReply> {
  const { services, form, publicUrl, device, now } = visit
  const sealed = visit.passkeyChallenge
  const issued = openChallenge(services.secret, { sealed, accountId: null }, now)
  const response = parseResponse<AuthenticationResponseJSON>(form.get('response'))
  const accountId =
    issued &&
    response &&
    (await finishAuthentication(services, { origin: publicUrl }, { ...issued, response, now }))
  const sessionToken = accountId && (await signInAccount(services, { accountId, device, now }))
  if (!sessionToken) return problem('This passkey does not open an account here.')
  if (visit.session) await endSession(services.db, visit.session.tokenHash)
  const answer: PasskeyAnswer = { location: parseReturnPath(form.get('next')) }
  return { ...json(answer), sessionToken, passkeyChallenge: null }
}
