import type { Response } from 'express'
import type { CapabilityLimits } from '../metering/plans.js'
import type { QuotaScope } from '../metering/quota.js'
import type { Caller } from '../organizations/capability.js'
import type { Tenant } from '../organizations/tenant.js'
import type { EventStream } from './event-stream.js'
import type { PartnerHeaders } from './partner-headers.js'
import type { RequestGate } from './request-gate.js'
import type { RequestLifetime } from './request-lifetime.js'

/** An admitted request whose body is parsed, as the stages from execution on see it. */
export interface AdmittedCall<Body> {
  caller: Caller
  scope: QuotaScope
  limits: CapabilityLimits
  tenant: Tenant
  partner: PartnerHeaders
  body: Body
  lifetime: RequestLifetime
  /** Milliseconds since the epoch, by the clock of the context. */
  deadline: number
  gate: RequestGate | undefined
  /** Set when the client asked for server-sent events. */
  stream: EventStream | undefined
  response: Response
}
