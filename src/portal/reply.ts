import type { VNode } from 'preact'

/** What a portal route answers. */
export type Reply =
  | { kind: 'page'; status: number; document: VNode }
  | { kind: 'redirect'; location: string }
  | { kind: 'download'; type: string; filename: string; content: string }
  | { kind: 'json'; body: unknown }

/** A reply, and what else goes out with it. */
export type RouteReply = Reply & {
  /** Token of the session that begins, or `null` where the present one ends. */
  sessionToken?: string | null
  /** A single sign-on that begins, sealed, or `null` where it ends. */
  signInFlow?: string | null
  retryAfterSeconds?: number
}

/** A whole document, such as `<Page …>` gives. */
export function page(document: VNode, status = 200): Reply {
  return { kind: 'page', status, document }
}

/** To a path of this portal, by GET: what follows a form that was accepted. */
export function redirect(path: `/portal${string}`): Reply {
  return { kind: 'redirect', location: path }
}

export function downloadCsv(filename: string, content: string): Reply {
  return { kind: 'download', type: 'text/csv; charset=utf-8', filename, content }
}

export function json(body: unknown): Reply {
  return { kind: 'json', body }
}
