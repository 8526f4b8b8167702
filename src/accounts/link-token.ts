import { createHmac, randomBytes } from 'node:crypto'
import type { ServerSecret } from '../organizations/server-secret.js'

/** 256 random bits in base64url, as they stand in cookies and links. */
const TOKEN = /^[\w-]{43}$/

export function generateToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a token, so that a stolen database opens no session. A fast hash is enough for random bits. */
export function hashToken(secret: ServerSecret, token: string): Buffer {
  return createHmac('sha256', secret.subkey('portal-token')).update(token).digest()
}

export function isWellFormedToken(text: string): boolean {
  return TOKEN.test(text)
}
