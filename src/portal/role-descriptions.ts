import type { Role } from '../accounts/role.js'

/** What each role may do, as the pages put it. */
export const ROLE_DESCRIPTIONS: Record<Role, string> = {
  owner: 'Can do everything, and decides who is a member.',
  developer: 'Sees everything, and manages API keys.',
  viewer: 'Sees usage, analytics and keys, and tries calls in the playground.',
}
