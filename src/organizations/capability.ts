/** What a key may be allowed to do; also the value of `X-Service-Capability` and a label of metrics. */
export const CAPABILITIES = [
  'profile.infer_preferences',
  'match.evaluate',
  'conversation.openers',
  'events',
] as const

export type Capability = (typeof CAPABILITIES)[number]

export const ENVIRONMENTS = ['test', 'live'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

/** Who makes a call, as its API key says. */
export interface Caller {
  organizationId: string
  plan: string
  environment: Environment
  keyId: string
  capabilities: readonly Capability[]
}
