import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { confirmPassword } from '../../../accounts/own-account.js'
import { addPasskey, listPasskeys, removePasskey } from '../../../accounts/passkey.js'
import {
  beginRegistration,
  finishRegistration,
  supportsPasskeys,
} from '../../../accounts/webauthn.js'
import { AdminError } from '../../../core/admin-error.js'
import { openChallenge, sealChallenge } from '../../passkey-challenge.js'
import { notFound } from '../../refusal.js'
import { json, redirect, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import type { PasskeyAnswer } from './passkey-answer.js'

/** Begins to add a passkey. The password is asked for, so that an open browser is not enough to stay in for good. */
export async function beginAddingPasskey(visit: MemberVisit): Promise<RouteReply> {
  const { services, session, form, address, publicUrl, now } = visit
  if (!supportsPasskeys(publicUrl)) throw notFound()
  const { accountId, signInName } = session
  const password = form.get('password') ?? ''
  const outcome = await confirmPassword(services, { session, password, address, now })
  if (outcome !== 'right') return problem(REFUSALS[outcome])
  const passkeys = await listPasskeys(services.db, accountId)
  const options = await beginRegistration(
    { origin: publicUrl },
    { accountId, signInName, passkeys },
  )
  const { challenge } = options
  return {
    ...json({ options } satisfies PasskeyAnswer),
    passkeyChallenge: sealChallenge(services.secret, { challenge, issuedAt: now, accountId }),
  }
}

const REFUSALS = {
  'wrong-password': 'The password is wrong.',
  'too-many-attempts': 'Too many attempts. Try again in 15 minutes.',
}

export async function finishAddingPasskey(visit: MemberVisit): Promise<RouteReply> {
  const { services, session, form, publicUrl, device, now, act } = visit
  const { accountId } = session
  const sealed = visit.passkeyChallenge
  const issued = openChallenge(services.secret, { sealed, accountId }, now)
  const response = parseResponse<RegistrationResponseJSON>(form.get('response'))
  const passkey =
    issued &&
    response &&
    (await finishRegistration({ origin: publicUrl }, { response, challenge: issued.challenge }))
  if (!passkey) return problem('The passkey could not be added. Try again.')
  try {
    await addPasskey(services, { ...passkey, accountId, device }, act)
  } catch (error) {
    if (!(error instanceof AdminError)) throw error
    return problem(error.message)
  }
  const answer: PasskeyAnswer = { location: '/portal/account?done=passkey-added' }
  return { ...json(answer), passkeyChallenge: null }
}

export async function removeOwnPasskey(visit: MemberVisit): Promise<RouteReply> {
  const { services, session, params, act } = visit
  const passkey = { accountId: session.accountId, id: params.passkeyId ?? '' }
  await removePasskey(services, passkey, act)
  return redirect('/portal/account?done=passkey-removed')
}

/** The answer of the authenticator; its content is verified by the library. */
export function parseResponse<T>(text: string | null): T | undefined {
  try {
    const parsed: unknown = JSON.parse(text ?? '')
    return typeof parsed === 'object' && parsed !== null ? (parsed as T) : undefined
  } catch {
    return undefined
  }
}

export function problem(text: string): RouteReply {
  return { ...json({ problem: text } satisfies PasskeyAnswer), passkeyChallenge: null }
}
