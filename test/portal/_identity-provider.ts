import { OAuth2Server, type MutableToken } from 'oauth2-mock-server'

export interface LocalProvider {
  issuer: string
  /** Who signs in next. */
  person: { sub: string; email?: string; email_verified?: boolean }
  /** Changes the next identity token after it was made, to see it refused. */
  spoil: (token: MutableToken) => void
  close(): Promise<void>
}

/** A real OpenID Connect provider on a free port, which lets everybody in as `person`. */
export async function startIdentityProvider(): Promise<LocalProvider> {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  const provider: LocalProvider = {
    issuer: server.issuer.url!,
    person: { sub: 'nobody' },
    spoil: () => {},
    close: () => server.stop(),
  }
  server.service.on('beforeTokenSigning', (token: MutableToken) => {
    Object.assign(token.payload, provider.person)
    provider.spoil(token)
  })
  return provider
}
