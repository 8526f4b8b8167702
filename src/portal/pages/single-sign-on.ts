import { describeDevice } from '../device.js'
import type { Identity, IdentityProvider } from '../../accounts/identity-provider.js'
import { endSession } from '../../accounts/session.js'
import {
  connectIdentity,
  settleIdentity,
  type IdentityRefusal,
} from '../../accounts/settle-identity.js'
import { openFlow, sealFlow, type SignInFlow } from '../../accounts/sign-in-flow.js'
import { describeError } from '../../telemetry/log.js'
import { notFound, Refusal } from '../refusal.js'
import { redirect, type RouteReply } from '../reply.js'
import { parseReturnPath } from '../return-path.js'
import type { Visit } from '../visit.js'

const CALLBACK = '/portal/sign-in/sso/callback'

/** Sends the browser to the identity provider: to sign in, to accept an invitation, or to connect one's account. */
export async function beginSingleSignOn(visit: Visit): Promise<RouteReply> {
  const { context, query, publicUrl, session, now } = visit
  const provider = requireProvider(visit)
  const { url, challenge } = await provider
    .begin(publicUrl + CALLBACK)
    .catch((error: unknown) => unreachable(visit, error))
  const flow = {
    ...challenge,
    next: parseReturnPath(query.get('next')),
    invitation: query.get('invitation') ?? undefined,
    accountId: query.has('connect') ? session?.accountId : undefined,
  }
  return {
    kind: 'redirect',
    location: url,
    signInFlow: sealFlow(context.secret, flow, now),
  }
}

export async function endSingleSignOn(visit: Visit): Promise<RouteReply> {
  const { context, request, publicUrl, now } = visit
  const provider = requireProvider(visit)
  const flow = openFlow(context.secret, visit.signInFlow, now)
  if (!flow) throw outdated()
  const identity = await provider
    .complete(new URL(publicUrl + request.originalUrl), flow)
    .catch((error: unknown) => refused(visit, error))
  const outcome = await settle(visit, { provider, flow, identity })
  switch (outcome.kind) {
    case 'refused':
      throw new Refusal(403, REFUSALS[outcome.reason])
    case 'connected':
      return { ...redirect('/portal/account?done=connected'), signInFlow: null }
    case 'signed-in':
      if (visit.session) await endSession(context.db, visit.session.tokenHash)
      return {
        ...redirect(parseReturnPath(flow.next ?? null)),
        sessionToken: outcome.sessionToken,
        signInFlow: null,
      }
  }
}

interface Return {
  provider: IdentityProvider
  flow: SignInFlow
  identity: Identity
}

function settle(visit: Visit, { provider, flow, identity }: Return) {
  const { context, session, request, now } = visit
  const { emailDomains } = provider
  if (flow.accountId !== undefined) {
    if (session?.accountId !== flow.accountId) throw outdated()
    return connectIdentity(context.db, { identity, emailDomains, accountId: flow.accountId })
  }
  return settleIdentity(context, {
    identity,
    emailDomains,
    invitationToken: flow.invitation,
    device: describeDevice(request.headers['user-agent']),
    now,
  })
}

function requireProvider({ context }: Visit): IdentityProvider {
  if (context.identityProvider) return context.identityProvider
  throw notFound()
}

function outdated(): Refusal {
  return new Refusal(400, {
    title: 'This sign-in took too long',
    message: 'It was begun more than ten minutes ago, or in another browser. Sign in again.',
  })
}

function unreachable({ context }: Visit, error: unknown): never {
  context.log.warn('the identity provider cannot be used', describeError(error))
  throw new Refusal(503, {
    title: 'Single sign-on does not answer',
    message: 'The identity provider cannot be reached. Try again, or sign in with your password.',
  })
}

function refused({ context }: Visit, error: unknown): never {
  context.log.warn('a single sign-on was refused', describeError(error))
  throw new Refusal(401, {
    title: 'Single sign-on did not work',
    message: 'The identity provider refused, or its answer does not fit. Sign in again.',
  })
}

const REFUSALS: Record<IdentityRefusal, { title: string; message: string }> = {
  'no-email': {
    title: 'Your address is not known',
    message: 'The identity provider does not tell your e-mail address, or has not verified it.',
  },
  domain: {
    title: 'Your address is not allowed here',
    message:
      'Only addresses of certain domains may sign in. The operator of the service sets them.',
  },
  'not-invited': {
    title: 'You are not invited yet',
    message: 'Ask an owner of your organisation for an invitation, and open its link.',
  },
  'other-address': {
    title: 'This invitation is for somebody else',
    message: 'It names another e-mail address than yours. Ask for an invitation of your own.',
  },
  'has-account': {
    title: 'You have an account with a password',
    message:
      'Sign in with your password first. Then connect single sign-on under “Your account”, and use either from then on.',
  },
  taken: {
    title: 'This identity has another account',
    message: 'It signs in to another account of this portal. Sign in with it instead.',
  },
  gone: {
    title: 'This invitation does not work',
    message: 'It was used or withdrawn in the meantime. Ask an owner for a new one.',
  },
}
