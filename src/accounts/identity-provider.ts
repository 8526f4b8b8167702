import * as oidc from 'openid-client'
import type { Config } from '../config/config.js'

const TIMEOUT_SECONDS = 10

/** Somebody, as the identity provider knows them. */
export interface Identity {
  issuer: string
  subject: string
  /** In lower case. */
  email: string | undefined
  /** Undefined where the provider does not say. */
  emailVerified: boolean | undefined
}

/** What only the browser that began may end with. */
export interface Challenge {
  state: string
  nonce: string
  codeVerifier: string
}

/** Single sign-on at the provider that the operator configured; its calls leave the host. */
export interface IdentityProvider {
  /** How people call it. */
  label: string
  /** Domains of e-mail addresses that may sign in; empty: all. */
  emailDomains: readonly string[]
  /** The address to send the browser to. */
  begin(redirectUri: string): Promise<{ url: string; challenge: Challenge }>
  /** Who came back to `returned`; throws whatever does not fit the challenge. */
  complete(returned: URL, challenge: Challenge): Promise<Identity>
}

/**
 * OpenID Connect by authorization code with PKCE, state and nonce.
 * Source: OpenID Connect Core 1.0; RFC 9700
 */
export function createIdentityProvider(
  settings: NonNullable<Config['identityProvider']>,
  clientSecret: string | undefined,
): IdentityProvider {
  const { issuer, clientId, label, emailDomains } = settings
  let discovered: Promise<oidc.Configuration> | undefined
  const discover = () => {
    discovered ??= oidc
      .discovery(
        new URL(issuer),
        clientId,
        undefined,
        clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
        {
          timeout: TIMEOUT_SECONDS,
          execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
        },
      )
      .catch((error: unknown) => {
        // The provider may be back for the next one who signs in.
        discovered = undefined
        throw error
      })
    return discovered
  }
  return {
    label,
    emailDomains,
    begin: async (redirectUri) => {
      const configuration = await discover()
      const challenge = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      }
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: challenge.state,
        nonce: challenge.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(challenge.codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, challenge }
    },
    complete: async (returned, challenge) => {
      const tokens = await oidc.authorizationCodeGrant(await discover(), returned, {
        expectedState: challenge.state,
        expectedNonce: challenge.nonce,
        pkceCodeVerifier: challenge.codeVerifier,
        idTokenExpected: true,
      })
      const { iss, sub, email, email_verified: verified } = tokens.claims()!
      return {
        issuer: iss,
        subject: sub,
        email: typeof email === 'string' ? email.toLowerCase() : undefined,
        emailVerified: typeof verified === 'boolean' ? verified : undefined,
      }
    },
  }
}
