import { createHmac } from 'node:crypto'
import type { ServerSecret } from '../organizations/server-secret.js'
import { parseEmail } from './account.js'

/** Without `@`, so that a name is never mistaken for an address. */
const NAME = /^[a-z0-9][a-z0-9._-]{1,39}$/
/** Digits and letters that are not mistaken for one another. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const SUFFIX_LENGTH = 6

/** What a person enters to sign in, as it is stored: an address or a name. Undefined if no account can have it. */
export function parseSignInName(text: string | null): string | undefined {
  const name = text?.trim().toLowerCase() ?? ''
  return NAME.test(name) ? name : parseEmail(name)
}

/**
 * The end of the sign-in name of whoever joins by an invitation that names no address, such as `-x7k2mq`. It belongs to
 * the invitation, so that a new name is free whatever accounts exist, and an invitation cannot be used to find out.
 */
export function signInNameSuffix(secret: ServerSecret, invitationId: string): string {
  const digest = createHmac('sha256', secret.subkey('portal-sign-in-name'))
    .update(invitationId)
    .digest()
  const characters = [...digest.subarray(0, SUFFIX_LENGTH)]
  return `-${characters.map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`
}

/** The sign-in name for a chosen name, with the suffix once; undefined if the chosen name is not valid. */
export function completeSignInName(chosen: string | null, suffix: string): string | undefined {
  const name = chosen?.trim().toLowerCase() ?? ''
  const base = name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
  return NAME.test(base) && base.length + suffix.length <= 40 ? base + suffix : undefined
}
