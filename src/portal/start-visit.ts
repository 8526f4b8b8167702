import type { Request } from 'express'
import { findSession, type Session } from '../accounts/session.js'
import type { Assets } from './assets.js'
import { chooseEnvironment } from './choose-environment.js'
import { describeDevice } from './describe-device.js'
import { formToken } from './form-guard.js'
import { readCookie, usesHttps } from './portal-cookies.js'
import type { PortalServices } from './portal-services.js'
import { publicUrlOf } from './public-url.js'
import type { MemberVisit, Visit } from './visit.js'

export interface PortalParts {
  services: PortalServices
  assets: Assets
}

/** Reads the request and looks up its session. The form is not read yet. */
export async function startVisit(parts: PortalParts, request: Request): Promise<Visit> {
  const visit = startVisitWithoutSession(parts, request)
  const token = readCookie(request, 'portal', usesHttps(parts.services.config, request))
  if (token === undefined) return visit
  return { ...visit, session: await findSession(parts.services, token, visit.now) }
}

/** Reads the request only, for when the database cannot be used. */
export function startVisitWithoutSession(
  { services, assets }: PortalParts,
  request: Request,
): Visit {
  const isHttps = usesHttps(services.config, request)
  return {
    services,
    request,
    now: services.clock(),
    params: request.params as Record<string, string>,
    query: new URL(request.originalUrl, 'http://portal').searchParams,
    form: new URLSearchParams(),
    address: request.ip ?? '',
    device: describeDevice(request.headers['user-agent']),
    publicUrl: publicUrlOf(services.config, request),
    assetUrl: assets.urlOf,
    signInFlow: readCookie(request, 'portal-sso', isHttps),
    invitationToken: readCookie(request, 'portal-invitation', isHttps),
    passkeyChallenge: readCookie(request, 'portal-passkey', isHttps),
    browserToken: readCookie(request, 'portal-browser', isHttps),
    session: undefined,
  }
}

export async function toMemberVisit(visit: Visit, session: Session): Promise<MemberVisit> {
  const { db, secret } = visit.services
  return {
    ...visit,
    session,
    formToken: formToken(secret, session.tokenHash),
    environment: await chooseEnvironment(db, session.organizationId, visit.query),
    act: { actor: `portal:${session.accountId}`, now: visit.now },
  }
}
