import type { Request } from 'express'
import type { AppContext } from '../context.js'
import type { Act } from '../organizations/audit-log.js'
import type { Environment } from '../organizations/capability.js'
import type { Session } from '../accounts/session.js'

/** One request of the portal, as its page sees it. */
export interface Visit {
  context: AppContext
  request: Request
  /** Milliseconds since the epoch. */
  now: number
  /** Of the route's pattern. */
  params: Record<string, string>
  query: URLSearchParams
  /** Fields of the form that was sent; empty for GET. */
  form: URLSearchParams
  /** Scheme, host and port under which the service is reached, without a slash at the end. */
  publicUrl: string
  /** The address of a built script or style by the name of its source, such as `portal.css`. */
  assetUrl: (source: string) => string
  session: Session | undefined
  /** Sealed; what a single sign-on under way left in the browser. */
  signInFlow: string | undefined
}

/** A visit of somebody who is signed in, and may do what the route takes. */
export interface MemberVisit extends Visit {
  session: Session
  /** Goes into every form, so that other sites cannot send it. */
  formToken: string
  /** What the pages show: `?env=live` or `test`; where nothing is said, live if the organisation has a live key. */
  environment: Environment
  /** For the audit log. */
  act: Act
}
