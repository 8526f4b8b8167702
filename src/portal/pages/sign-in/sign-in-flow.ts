import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { ServerSecret } from '../../../organizations/server-secret.js'

const FLOW_LIFETIME_MS = 10 * 60_000

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** Path to open after the sign-in. */
  next: z.string().optional(),
  /** Token of the invitation to accept. */
  invitation: z.string().optional(),
  /** The account to connect the identity with. */
  accountId: z.string().optional(),
  expiresAt: z.number(),
})

/** A single sign-on in progress; it travels in a cookie of the browser that started it. */
export type SignInFlow = z.infer<typeof flowSchema>

/** The cookie's value: the flow, signed so that only this installation can have issued it. */
export function sealFlow(
  secret: ServerSecret,
  flow: Omit<SignInFlow, 'expiresAt'>,
  now: number,
): string {
  const content = JSON.stringify({ ...flow, expiresAt: now + FLOW_LIFETIME_MS })
  const encoded = Buffer.from(content).toString('base64url')
  return `${encoded}.${sign(secret, encoded).toString('base64url')}`
}

/** Undefined if the flow is older than ten minutes or was not sealed by this installation. */
export function openFlow(
  secret: ServerSecret,
  sealed: string | undefined,
  now: number,
): SignInFlow | undefined {
  const [encoded = '', signature = ''] = sealed?.split('.') ?? []
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(secret, encoded)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const content: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString())
  const flow = flowSchema.parse(content)
  return flow.expiresAt > now ? flow : undefined
}

function sign(secret: ServerSecret, encoded: string): Buffer {
  return createHmac('sha256', secret.subkey('portal-sign-in-flow')).update(encoded).digest()
}
