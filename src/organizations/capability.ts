/** Permissions of a key; also the values of `X-Service-Capability` and of a metric label. */
export const CAPABILITIES = [
  'profile.infer_preferences',
  'match.evaluate',
  'conversation.openers',
  'events',
] as const

export type Capability = (typeof CAPABILITIES)[number]

export const ENVIRONMENTS = ['test', 'live'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

/** The caller of the API, identified by its key. */
export interface Caller {
  organizationId: string
  plan: string
  environment: Environment
  keyId: string
  capabilities: readonly Capability[]
}
