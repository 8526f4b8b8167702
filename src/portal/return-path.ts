/** The path to open after sign-in: always inside the portal, `/portal` for anything else. */
export function parseReturnPath(text: string | null): `/portal${string}` {
  if (text === null || text.length > 2_000) return '/portal'
  // Resolved as browsers do: `//host`, `/\host` and the like lead to another host.
  const base = 'http://portal.invalid'
  if (!URL.canParse(text, base)) return '/portal'
  const { origin, pathname, search } = new URL(text, base)
  if (origin !== base || !/^\/portal(?:\/|$)/.test(pathname)) return '/portal'
  return `${pathname}${search}` as `/portal${string}`
}
