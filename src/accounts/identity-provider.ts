import * as oidc from 'openid-client'
import type { Config } from '../config/config.js'
import { parseEmail } from './account.js'

const TIMEOUT_SECONDS = 10

/** A person as known to the identity provider. */
export interface Identity {
  issuer: string
  subject: string
  /** In lower case; undefined unless the provider asserts that it has verified the address. */
  verifiedEmail: string | undefined
}

/** Binds the end of a sign-in to the browser that started it. */
export interface Challenge {
  state: string
  nonce: string
  codeVerifier: string
}

/** Single sign-on with the provider that the operator configured. Its calls leave the host. */
export interface IdentityProvider {
  /** Its name for people. */
  label: string
  /** Domains whose e-mail addresses may sign in; empty for all. */
  emailDomains: readonly string[]
  /** Starts a sign-in; `url` is the page of the provider to send the browser to. */
  begin(redirectUri: string): Promise<{ url: string; challenge: Challenge }>
  /**
   * Identifies the person who came back to the URL `returned`.
   * @throws if the response does not match the challenge
   */
  complete(returned: URL, challenge: Challenge): Promise<Identity>
}

/**
 * OpenID Connect with the authorization code flow, PKCE, state and nonce.
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
        // Try again at the next sign-in: the provider may be back by then.
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
        // Only the boolean counts: a provider that says "true" or "false" as text does not follow the standard.
        verifiedEmail:
          typeof email === 'string' && verified === true ? parseEmail(email) : undefined,
      }
    },
  }
}
