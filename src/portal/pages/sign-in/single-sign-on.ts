import type { Identity, IdentityProvider } from '../../../accounts/identity-provider.js'
import { endSession } from '../../../accounts/session.js'
import type { IdentityRefusal } from '../../../accounts/identity-refusal.js'
import { connectIdentity, signInByIdentity } from '../../../accounts/sign-in-by-identity.js'
import { describeError } from '../../../telemetry/log.js'
import { notFound, Refusal } from '../../refusal.js'
import { redirect, type RouteReply } from '../../reply.js'
import { parseReturnPath } from '../../return-path.js'
import type { Visit } from '../../visit.js'
import { openFlow, sealFlow, type SignInFlow } from './sign-in-flow.js'

const CALLBACK = '/portal/sign-in/sso/callback'

/** Sends the browser to the identity provider: to sign in, to accept an invitation, or to connect an account. */
export async function beginSingleSignOn(visit: Visit): Promise<RouteReply> {
  const { services, query, publicUrl, session, now } = visit
  const provider = requireProvider(visit)
  const { url, challenge } = await provider
    .begin(publicUrl + CALLBACK)
    .catch((error: unknown) => throwUnreachable(visit, error))
  const flow = {
    ...challenge,
    next: parseReturnPath(query.get('next')),
    invitation: query.has('invitation') ? visit.invitationToken : undefined,
    accountId: query.has('connect') ? session?.accountId : undefined,
  }
  return {
    kind: 'redirect',
    location: url,
    signInFlow: sealFlow(services.secret, flow, now),
  }
}

/** Handles the browser's return from the identity provider. */
export async function endSingleSignOn(visit: Visit): Promise<RouteReply> {
  const { services, request, publicUrl, now } = visit
  const provider = requireProvider(visit)
  const flow = openFlow(services.secret, visit.signInFlow, now)
  if (!flow) throw expiredFlow()
  const identity = await provider
    .complete(new URL(publicUrl + request.originalUrl), flow)
    .catch((error: unknown) => throwRefused(visit, error))
  const outcome = await applyIdentity(visit, { provider, flow, identity })
  switch (outcome.kind) {
    case 'refused':
      throw new Refusal(403, REFUSALS[outcome.reason])
    case 'connected':
      return { ...redirect('/portal/account?done=connected'), signInFlow: null }
    case 'signed-in':
      if (visit.session) await endSession(services.db, visit.session.tokenHash)
      return {
        ...redirect(parseReturnPath(flow.next ?? null)),
        sessionToken: outcome.sessionToken,
        signInFlow: null,
        invitationToken: null,
      }
  }
}

interface CompletedFlow {
  provider: IdentityProvider
  flow: SignInFlow
  identity: Identity
}

function applyIdentity(visit: Visit, { provider, flow, identity }: CompletedFlow) {
  const { services, session, device, now } = visit
  const { emailDomains } = provider
  if (flow.accountId !== undefined) {
    if (session?.accountId !== flow.accountId) throw expiredFlow()
    const { accountId } = flow
    return connectIdentity(services, { identity, emailDomains, accountId, now })
  }
  return signInByIdentity(services, {
    identity,
    emailDomains,
    invitationToken: flow.invitation,
    device,
    now,
  })
}

function requireProvider({ services }: Visit): IdentityProvider {
  if (services.identityProvider) return services.identityProvider
  throw notFound()
}

function expiredFlow(): Refusal {
  return new Refusal(400, {
    title: 'This sign-in has expired',
    message: 'It was started more than ten minutes ago or in another browser. Sign in again.',
  })
}

function throwUnreachable({ services }: Visit, error: unknown): never {
  services.log.warn('the identity provider could not be reached', describeError(error))
  throw new Refusal(503, {
    title: 'Single sign-on is unavailable',
    message:
      'The identity provider could not be reached. Try again, or sign in with your password.',
  })
}

function throwRefused({ services }: Visit, error: unknown): never {
  services.log.warn('a single sign-on was refused', describeError(error))
  throw new Refusal(401, {
    title: 'Single sign-on failed',
    message:
      'The identity provider refused the sign-in, or its answer was not valid. Sign in again.',
  })
}

const REFUSALS: Record<IdentityRefusal, { title: string; message: string }> = {
  'no-email': {
    title: 'Your e-mail address is missing',
    message: 'The identity provider did not send your e-mail address, or has not verified it.',
  },
  domain: {
    title: 'Your e-mail address is not allowed here',
    message:
      'Only addresses of certain domains may sign in. The operator of the service chooses them.',
  },
  'not-invited': {
    title: 'You are not invited yet',
    message: 'Ask an owner of your organisation for an invitation, and open its link.',
  },
  'other-address': {
    title: 'This invitation is for somebody else',
    message: 'It names another e-mail address than yours. Ask for your own invitation.',
  },
  'has-account': {
    title: 'Your address has an account already',
    message:
      'Sign in with your password first. Then connect single sign-on under “Your account”. After that you can use either. If you do not know the password, ask the operator of the service for a reset link.',
  },
  taken: {
    title: 'This identity belongs to another account',
    message: 'It signs in to another account of this portal. Sign in to that account instead.',
  },
  'address-differs': {
    title: 'This identity has another address than your account',
    message: 'Sign in to the identity provider with the e-mail address of your account.',
  },
  'address-changed': {
    title: 'Your e-mail address has changed',
    message:
      'The identity provider knows you by another address than this portal. Ask an owner of your organisation to remove your account and to invite your new address.',
  },
  gone: {
    title: 'This invitation does not work',
    message: 'It was used or withdrawn in the meantime. Ask an owner for a new one.',
  },
}
