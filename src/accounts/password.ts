import { hash, verify } from '@node-rs/argon2'
import PQueue from 'p-queue'
import { ServiceError } from '../core/service-error.js'
import { COMMON_PASSWORDS } from './common-passwords.js'

/** Source: NIST SP 800-63B-4, section 3.1.1.2 (recommends 15 without a second factor, requires at least 8). */
export const MIN_PASSWORD_LENGTH = 12
/** Long enough for any passphrase; bounds the cost of hashing. */
export const MAX_PASSWORD_LENGTH = 256

/** Argon2id with 19 MiB, 2 passes, 1 lane. Source: OWASP Password Storage Cheat Sheet. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hashing takes memory and threads of the pool that file access also uses, so few hashes run at a time. */
const hashing = new PQueue({ concurrency: 2 })
/** About ten seconds of work. Beyond that, guesses from many addresses must not keep members waiting. */
const MAX_WAITING_HASHES = 100

/** What is wrong with a new password, as a sentence; undefined if nothing is. */
export function describePasswordProblem(password: string, email: string): string | undefined {
  const length = [...password].length
  if (length < MIN_PASSWORD_LENGTH) {
    return `The password needs at least ${MIN_PASSWORD_LENGTH} characters. A few random words work well.`
  }
  if (length > MAX_PASSWORD_LENGTH) {
    return `The password may have at most ${MAX_PASSWORD_LENGTH} characters.`
  }
  if (isGuessable(password.toLowerCase(), email)) {
    return 'This password is easy to guess. Choose another one.'
  }
  return undefined
}

/**
 * Argon2id hash in PHC string format.
 * @throws ServiceError `overloaded` if too many hashes are queued
 */
export async function hashPassword(password: string): Promise<string> {
  requireCapacity()
  return hashing.add(() => hash(password.normalize('NFKC'), COST))
}

export interface Verification {
  /** Whether somebody who has signed in before asks: strangers, however many, do not keep members waiting. Default: false. */
  isKnown?: boolean
}

/**
 * Whether a password matches a stored hash. Takes as long without a hash, so that timing does not reveal which accounts
 * exist.
 * @throws ServiceError `overloaded` if too many hashes are queued, unless it is known who asks
 */
export async function verifyPassword(
  hashed: string | null,
  password: string,
  { isKnown = false }: Verification = {},
): Promise<boolean> {
  const against = hashed ?? (await dummyHash())
  // Who is known has few attempts.
  if (!isKnown) requireCapacity()
  const order = { priority: isKnown ? 1 : 0 }
  const matches = await hashing.add(() => verify(against, password.normalize('NFKC')), order)
  return hashed !== null && matches
}

function requireCapacity(): void {
  if (hashing.size < MAX_WAITING_HASHES) return
  throw new ServiceError('overloaded', 'Too many people are signing in right now. Try again soon.')
}

let cachedDummyHash: Promise<string> | undefined

/** Stands in for the hash of an account that does not exist or has no password. */
function dummyHash(): Promise<string> {
  return (cachedDummyHash ??= hash('nobody has this password', COST))
}

function isGuessable(password: string, email: string): boolean {
  const [name = ''] = email.toLowerCase().split('@')
  if (new Set(password).size < 4) return true
  if (password === email.toLowerCase() || (name.length > 3 && stripEnds(password) === name)) {
    return true
  }
  return COMMON_PASSWORDS.has(password) || COMMON_PASSWORDS.has(stripEnds(password))
}

/** Without leading and trailing digits and signs: `password2024!!` is as easy to guess as `password`. */
function stripEnds(password: string): string {
  return password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
}
