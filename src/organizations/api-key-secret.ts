import { createHmac, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from './capability.js'
import type { ServerSecret } from './server-secret.js'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 characters of base62 are 190 bits. */
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
/** `sk_test_` and four characters: enough to recognise a key, 166 bits stay unknown. */
const PREFIX_LENGTH = 12

const API_KEY = new RegExp(`^sk_(test|live)_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** A new API key secret, `sk_<environment>_<32 random characters><checksum>`. */
export function generateApiKey(environment: Environment): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)])
  const body = `sk_${environment}_${random.join('')}`
  return body + checksum(body)
}

/** Whether a text can be an API key at all: a typo or a cut copy is told without asking the database. */
export function isWellFormedApiKey(text: string): boolean {
  if (!API_KEY.test(text)) return false
  return text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))
}

/** The beginning of a key that may be shown in lists. */
export function apiKeyPrefix(apiKey: string): string {
  return apiKey.slice(0, PREFIX_LENGTH)
}

/**
 * What is stored of a key: without the server secret it can neither be checked nor guessed. A fast hash is enough,
 * since nobody can try 190 random bits.
 */
export function hashApiKey(secret: ServerSecret, apiKey: string): Buffer {
  return createHmac('sha256', secret.subkey('api-key')).update(apiKey).digest()
}

/**
 * CRC-32 in six base62 digits, which lets secret scanners drop chance hits.
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
