import type { Identity } from './identity-provider.js'

export type IdentityRefusal =
  /** The provider sent no address that it has verified. */
  | 'no-email'
  | 'domain'
  | 'not-invited'
  /** The invitation names another address. */
  | 'other-address'
  /** The address has an account, which only somebody signed in to it may connect. */
  | 'has-account'
  /** The identity belongs to another account. */
  | 'taken'
  /** The account to connect has another address. */
  | 'address-differs'
  /** The identity has another address than the account that it signed in to so far. */
  | 'address-changed'
  /** The invitation was used or withdrawn in the meantime. */
  | 'gone'

export type IdentityOutcome =
  | { kind: 'signed-in'; sessionToken: string }
  | { kind: 'connected' }
  | { kind: 'refused'; reason: IdentityRefusal }

/** The verified address of an identity, if its domain may sign in. */
export function checkAddress(
  { verifiedEmail: email }: Identity,
  emailDomains: readonly string[],
): { email: string } | { problem: IdentityRefusal } {
  if (email === undefined) return { problem: 'no-email' }
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (emailDomains.length > 0 && !emailDomains.includes(domain)) return { problem: 'domain' }
  return { email }
}
