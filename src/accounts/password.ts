import { hash, verify } from '@node-rs/argon2'
import PQueue from 'p-queue'
import { ServiceError } from '../core/service-error.js'
import { COMMON_PASSWORDS } from './common-passwords.js'

/** Source: NIST SP 800-63B-4, section 3.1.1.2 (15 without a second factor is advised, 8 the least). */
export const MIN_PASSWORD_LENGTH = 12
/** Long enough for any passphrase; bounds the work of hashing. */
export const MAX_PASSWORD_LENGTH = 256

/** Argon2id with 19 MiB, 2 passes, 1 lane. Source: OWASP Password Storage Cheat Sheet. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hashes take memory and a thread of the pool that file access uses too, so few run at a time. */
const hashing = new PQueue({ concurrency: 2 })
/** About ten seconds of work: beyond that, strangers at many addresses must not make members wait. */
const MAX_WAITING_HASHES = 100

/** What is wrong with a new password, as a sentence; undefined when it is good. */
export function describePasswordProblem(password: string, email: string): string | undefined {
  const length = [...password].length
  if (length < MIN_PASSWORD_LENGTH) {
    return `The password needs ${MIN_PASSWORD_LENGTH} characters or more. A few random words are a good one.`
  }
  if (length > MAX_PASSWORD_LENGTH) {
    return `The password may have at most ${MAX_PASSWORD_LENGTH} characters.`
  }
  if (isGuessable(password.toLowerCase(), email)) {
    return 'This password is among the first that others would try. Choose another one.'
  }
  return undefined
}

/**
 * Argon2id hash in PHC form.
 * @throws ServiceError `overloaded` while too many others are being made
 */
export async function hashPassword(password: string): Promise<string> {
  requireRoom()
  return hashing.add(() => hash(password.normalize('NFKC'), COST))
}

/**
 * Whether a password fits a stored hash. It works as long without one, so that time does not tell which accounts
 * exist.
 * @throws ServiceError `overloaded` while too many others are being looked at
 */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  // No password can fit: nobody knows what this was made of, and the answer is not looked at.
  const against = stored ?? (await decoy())
  requireRoom()
  const fits = await hashing.add(() => verify(against, password.normalize('NFKC')))
  return stored !== null && fits
}

function requireRoom(): void {
  if (hashing.size < MAX_WAITING_HASHES) return
  throw new ServiceError('overloaded', 'Too many people sign in at the moment. Try again soon.')
}

let decoyHash: Promise<string> | undefined
function decoy(): Promise<string> {
  return (decoyHash ??= hash('nobody has this password', COST))
}

function isGuessable(password: string, email: string): boolean {
  const [name = ''] = email.toLowerCase().split('@')
  if (new Set(password).size < 4) return true
  if (password === email.toLowerCase() || (name.length > 3 && stripEnds(password) === name)) {
    return true
  }
  return COMMON_PASSWORDS.has(password) || COMMON_PASSWORDS.has(stripEnds(password))
}

/** `password2024!!` is as common as `password`. */
function stripEnds(password: string): string {
  return password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
}
