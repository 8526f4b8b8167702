import { createHmac, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from './capability.js'
import type { ServerSecret } from './server-secret.js'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 base62 characters have 190 bits of entropy. */
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
/** `sk_test_` and four characters: enough to recognise a key, while 166 bits stay secret. */
const PREFIX_LENGTH = 12

const API_KEY = new RegExp(`^sk_(test|live)_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** Generates an API key secret, `sk_<environment>_<32 random characters><checksum>`. */
export function generateApiKey(environment: Environment): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)])
  const body = `sk_${environment}_${random.join('')}`
  return body + checksum(body)
}

/** Whether a text has the format and checksum of an API key, to detect typos without a database query. */
export function isWellFormedApiKey(text: string): boolean {
  if (!API_KEY.test(text)) return false
  return text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))
}

/** Returns the first characters of a key, which may be shown in lists. */
export function apiKeyPrefix(apiKey: string): string {
  return apiKey.slice(0, PREFIX_LENGTH)
}

/**
 * Returns the stored hash of a key; without the server secret, guesses cannot be checked against it. A fast hash is
 * enough for 190 random bits.
 */
export function hashApiKey(secret: ServerSecret, apiKey: string): Buffer {
  return createHmac('sha256', secret.subkey('api-key')).update(apiKey).digest()
}

/**
 * CRC-32 in six base62 digits, with which secret scanners rule out false positives.
 * Source: https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = (BASE62[rest % BASE62.length] ?? '') + digits
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}
