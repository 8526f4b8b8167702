import type { Visit } from '../visit.js'

/** The way to the identity provider, where the operator configured one. */
export function SingleSignOn({ visit, query }: { visit: Visit; query: Record<string, string> }) {
  const provider = visit.context.identityProvider
  if (!provider) return null
  return (
    <a class="button" href={`/portal/sign-in/sso?${new URLSearchParams(query)}`}>
      Continue with {provider.label}
    </a>
  )
}
