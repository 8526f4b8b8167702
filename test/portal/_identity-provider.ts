import { OAuth2Server, type MutableToken } from 'oauth2-mock-server'

export interface LocalProvider {
  issuer: string
  /** The person who signs in next. */
  person: { sub: string; email?: string; email_verified?: boolean }
  /** Tampers with the next identity token. */
  tamper: (token: MutableToken) => void
  close(): Promise<void>
}

/** Starts an OpenID Connect provider on a free port that signs everybody in as `person`. */
export async function startIdentityProvider(): Promise<LocalProvider> {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  const provider: LocalProvider = {
    issuer: server.issuer.url!,
    person: { sub: 'nobody' },
    tamper: () => {},
    close: () => server.stop(),
  }
  server.service.on('beforeTokenSigning', (token: MutableToken) => {
    Object.assign(token.payload, provider.person)
    provider.tamper(token)
  })
  return provider
}
