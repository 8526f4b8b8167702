import type { Request } from 'express'
import type { Session } from '../accounts/session.js'
import type { Act } from '../organizations/audit-log.js'
import type { Environment } from '../organizations/capability.js'
import type { PortalServices } from './portal-services.js'

/** One request to the portal, as its page sees it. */
export interface Visit {
  services: PortalServices
  request: Request
  /** Milliseconds since the epoch. */
  now: number
  /** Parameters in the route's path. */
  params: Record<string, string>
  query: URLSearchParams
  /** Fields of the submitted form; empty for GET. */
  form: URLSearchParams
  /** IP address of the client. */
  address: string
  /** The browser in words, such as `Firefox on Windows`. */
  device: string
  /** Scheme, host and port under which the service is reached, without a trailing slash. */
  publicUrl: string
  /** URL of a built script or style by the name of its source, such as `portal.css`. */
  assetUrl: (source: string) => string
  session: Session | undefined
  /** Sealed state of a single sign-on in progress, from the browser's cookie. */
  signInFlow: string | undefined
  /** Token of the invitation that a single sign-on may accept, from the browser's cookie. */
  invitationToken: string | undefined
  /** Sealed challenge that a passkey is to sign, from the browser's cookie. */
  passkeyChallenge: string | undefined
  /** Token of a browser in which the password of an account was entered before. */
  browserToken: string | undefined
}

/** A visit of a signed-in member whose role allows the route. */
export interface MemberVisit extends Visit {
  session: Session
  /** CSRF token that every form carries. */
  formToken: string
  /** The environment that pages show: `?env=live` or `?env=test`, else live once the organisation has a live key. */
  environment: Environment
  /** For the audit log. */
  act: Act
}
