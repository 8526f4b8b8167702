import type { VNode } from 'preact'

/** The response of a portal route. */
export type Reply =
  | { kind: 'page'; status: number; document: VNode }
  | { kind: 'redirect'; location: string }
  | { kind: 'download'; type: string; filename: string; content: string }
  | { kind: 'json'; body: unknown }

/** A reply with the cookies and headers that go out with it. */
export type RouteReply = Reply & {
  /** Token of the session that starts; `null` ends the current one. */
  sessionToken?: string | null
  /** Sealed state of the single sign-on that starts; `null` clears it. */
  signInFlow?: string | null
  /** Token of the invitation that a single sign-on may accept; `null` clears it. */
  invitationToken?: string | null
  /** Sealed challenge that a passkey is to sign; `null` clears it. */
  passkeyChallenge?: string | null
  /** Marks the browser as known to an account. */
  browserToken?: string
  retryAfterSeconds?: number
}

/** @param document - a whole document, such as `<Page …>` */
export function page(document: VNode, status = 200): Reply {
  return { kind: 'page', status, document }
}

/** Redirects to a page of the portal by GET (303), as after an accepted form. */
export function redirect(path: `/portal${string}`): Reply {
  return { kind: 'redirect', location: path }
}

export function downloadCsv(filename: string, content: string): Reply {
  return { kind: 'download', type: 'text/csv; charset=utf-8', filename, content }
}

export function json(body: unknown): Reply {
  return { kind: 'json', body }
}
