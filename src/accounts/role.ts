/** Roles of members, highest first; each role includes the rights of those after it. */
export const ROLES = ['owner', 'developer', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export function isRole(text: string | null): text is Role {
  return ROLES.some((role) => role === text)
}

/** Whether `role` is `lowest` or a higher role. */
export function isAtLeast(role: Role, lowest: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(lowest)
}
