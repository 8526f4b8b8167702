import type { Role } from '../accounts/role.js'
import type { IconName } from './components/icon.js'

export interface NavigationItem {
  path: `/portal${string}`
  label: string
  icon: IconName
  /** The lowest role that sees the item. */
  lowestRole: Role
}

/** The menu, in order. */
export const NAVIGATION: readonly NavigationItem[] = [
  { path: '/portal', label: 'Overview', icon: 'overview', lowestRole: 'viewer' },
  { path: '/portal/openers', label: 'Openers', icon: 'openers', lowestRole: 'viewer' },
  { path: '/portal/what-works', label: 'What works', icon: 'learning', lowestRole: 'viewer' },
  { path: '/portal/retention', label: 'Retention', icon: 'retention', lowestRole: 'viewer' },
  { path: '/portal/keys', label: 'API keys', icon: 'keys', lowestRole: 'viewer' },
  { path: '/portal/playground', label: 'Playground', icon: 'playground', lowestRole: 'viewer' },
  { path: '/portal/developers', label: 'Developers', icon: 'developers', lowestRole: 'viewer' },
  { path: '/portal/members', label: 'Members', icon: 'members', lowestRole: 'owner' },
]
