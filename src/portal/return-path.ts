/** Where to go after signing in: a path of this portal, and never an address elsewhere. */
export function parseReturnPath(text: string | null): `/portal${string}` {
  if (text === null || text.length > 2_000) return '/portal'
  // Resolved as a browser would: `//host`, `/\host` and the like lead away.
  const base = 'http://portal.invalid'
  if (!URL.canParse(text, base)) return '/portal'
  const { origin, pathname, search } = new URL(text, base)
  if (origin !== base || !/^\/portal(?:\/|$)/.test(pathname)) return '/portal'
  return `${pathname}${search}` as `/portal${string}`
}
