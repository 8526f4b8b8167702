import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { PasskeyChallenge } from '../accounts/webauthn.js'
import type { ServerSecret } from '../organizations/server-secret.js'

const LIFETIME_MS = 5 * 60_000

const challengeSchema = z.object({
  challenge: z.string(),
  issuedAt: z.number(),
  /** The account that gets a passkey; none for a sign-in. */
  accountId: z.string().nullable(),
})

type SealedChallenge = PasskeyChallenge & { accountId: string | null }

/** The value of the cookie that binds a challenge to the browser, signed so that only this installation can have issued it. */
export function sealChallenge(secret: ServerSecret, challenge: SealedChallenge): string {
  const encoded = Buffer.from(JSON.stringify(challenge)).toString('base64url')
  return `${encoded}.${sign(secret, encoded).toString('base64url')}`
}

/** Undefined if the challenge is older than five minutes, for another account, or not from this installation. */
export function openChallenge(
  secret: ServerSecret,
  { sealed, accountId }: { sealed: string | undefined; accountId: string | null },
  now: number,
): PasskeyChallenge | undefined {
  const [encoded = '', signature = ''] = sealed?.split('.') ?? []
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(secret, encoded)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const content: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString())
  const challenge = challengeSchema.parse(content)
  if (challenge.accountId !== accountId || now - challenge.issuedAt >= LIFETIME_MS) return undefined
  return challenge
}

function sign(secret: ServerSecret, encoded: string): Buffer {
  return createHmac('sha256', secret.subkey('portal-passkey')).update(encoded).digest()
}
