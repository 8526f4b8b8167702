import type { Environment } from '../../../organizations/capability.js'
import type { KeySummary } from '../../../organizations/list-keys.js'

export function EnvironmentBadge({ environment }: { environment: Environment }) {
  return <span class={environment === 'live' ? 'badge accent' : 'badge'}>{environment}</span>
}

export function StatusBadge({ status, oldSecret }: KeySummary) {
  if (status !== 'active') return <span class="badge danger">{status}</span>
  if (oldSecret) return <span class="badge warning">two secrets work</span>
  return <span class="badge positive">active</span>
}

/** The first characters of a secret. */
export function SecretPrefix({ prefix }: { prefix: string }) {
  return <code class="secret-prefix">{prefix}…</code>
}
