/** What a member may do, from most to least; each includes those after it. */
export const ROLES = ['owner', 'developer', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export const ROLE_MEANINGS: Record<Role, string> = {
  owner: 'Everything, and decides who is a member.',
  developer: 'Sees everything, and manages API keys.',
  viewer: 'Sees usage, analytics and keys, and tries calls in the playground.',
}

export function isRole(text: string | null): text is Role {
  return ROLES.some((role) => role === text)
}

/** Whether `role` may do what takes at least `least`. */
export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(least)
}
