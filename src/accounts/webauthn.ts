import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { AccountDeps } from './account-deps.js'
import { findPasskey, recordPasskeyUse, type NewPasskey, type PasskeySummary } from './passkey.js'

/** The site that passkeys belong to, by the address of the portal. */
export interface RelyingParty {
  /** Such as `https://profiles.example.com`. */
  origin: string
}

/** What a browser is asked to sign; `issuedAt` is in milliseconds since the epoch. */
export interface PasskeyChallenge {
  challenge: string
  issuedAt: number
}

/** Whether browsers allow passkeys at this address: only over HTTPS, on a host with a name, or on this machine. */
export function supportsPasskeys(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  if (hostname === 'localhost') return true
  return protocol === 'https:' && !/^[\d.]+$|^\[/.test(hostname)
}

/** Options for a browser to create a passkey that needs no name at sign-in, and asks for the owner of the device. */
export function beginRegistration(
  { origin }: RelyingParty,
  account: { accountId: string; signInName: string; passkeys: readonly PasskeySummary[] },
) {
  return generateRegistrationOptions({
    rpName: 'Profile Intelligence',
    rpID: new URL(origin).hostname,
    userName: account.signInName,
    userID: new TextEncoder().encode(account.accountId),
    attestationType: 'none',
    excludeCredentials: account.passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** The passkey that a browser created; undefined if its answer does not fit the challenge. */
export async function finishRegistration(
  { origin }: RelyingParty,
  { response, challenge }: { response: RegistrationResponseJSON; challenge: string },
): Promise<Omit<NewPasskey, 'device'> | undefined> {
  // Throws for an answer that is malformed or meant for another site.
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { id, publicKey, counter } = verified.registrationInfo.credential
  return { id, publicKey, counter }
}

/** Options for a browser to sign in with any passkey of this site. */
export function beginAuthentication({ origin }: RelyingParty) {
  return generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    userVerification: 'required',
  })
}

interface Assertion extends PasskeyChallenge {
  response: AuthenticationResponseJSON
  now: number
}

/** The account whose passkey signed the challenge; undefined if none did, or if the same answer came before. */
export async function finishAuthentication(
  { db }: AccountDeps,
  { origin }: RelyingParty,
  { response, challenge, issuedAt, now }: Assertion,
): Promise<string | undefined> {
  const passkey = await findPasskey(db, String(response.id))
  if (!passkey) return undefined
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const counter = verified.authenticationInfo.newCounter
  const isFirst = await recordPasskeyUse(db, { id: passkey.id, counter, issuedAt, now })
  return isFirst ? passkey.account_id : undefined
}
