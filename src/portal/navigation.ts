import type { Role } from '../accounts/role.js'
import type { IconName } from './components/icon.js'

export interface NavigationItem {
  path: `/portal${string}`
  label: string
  icon: IconName
  /** The least role that sees it. */
  least: Role
}

/** The pages in the menu, in order. */
export const NAVIGATION: readonly NavigationItem[] = [
  { path: '/portal', label: 'Overview', icon: 'overview', least: 'viewer' },
  { path: '/portal/openers', label: 'Openers', icon: 'openers', least: 'viewer' },
  { path: '/portal/retention', label: 'Retention', icon: 'retention', least: 'viewer' },
  { path: '/portal/keys', label: 'API keys', icon: 'keys', least: 'viewer' },
  { path: '/portal/playground', label: 'Playground', icon: 'playground', least: 'viewer' },
  { path: '/portal/developers', label: 'Developers', icon: 'developers', least: 'viewer' },
  { path: '/portal/members', label: 'Members', icon: 'members', least: 'owner' },
]
