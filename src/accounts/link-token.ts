import { createHmac, randomBytes } from 'node:crypto'
import type { ServerSecret } from '../organizations/server-secret.js'

/** 256 random bits in base64url, as used in cookies and links. */
const TOKEN = /^[\w-]{43}$/

export function generateToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The keyed hash that is stored, so that a stolen database opens no session. A fast hash suffices for random tokens. */
export function hashToken(secret: ServerSecret, token: string): Buffer {
  return createHmac('sha256', secret.subkey('portal-token')).update(token).digest()
}

export function isWellFormedToken(text: string): boolean {
  return TOKEN.test(text)
}
