import type { Visit } from '../visit.js'

interface SingleSignOnLinkProps {
  visit: Visit
  query: Record<string, string>
}

/** A link to the identity provider; nothing if the operator configured none. */
export function SingleSignOnLink({ visit, query }: SingleSignOnLinkProps) {
  const provider = visit.services.identityProvider
  if (!provider) return null
  return (
    <a class="button" href={`/portal/sign-in/sso?${new URLSearchParams(query)}`}>
      Continue with {provider.label}
    </a>
  )
}
