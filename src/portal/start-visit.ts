import type { Request } from 'express'
import type { AppContext } from '../context.js'
import { formToken } from './form-guard.js'
import { readCookie } from './portal-cookies.js'
import { findSession, type Session } from '../accounts/session.js'
import type { Assets } from './assets.js'
import { shownEnvironment } from './environment.js'
import { publicUrlOf } from './public-url.js'
import type { MemberVisit, Visit } from './visit.js'

/** What the portal is made of. */
export interface PortalParts {
  context: AppContext
  assets: Assets
}

/** What a request says, and who sent it. */
export async function startVisit(
  { context, assets }: PortalParts,
  request: Request,
): Promise<Visit> {
  const now = context.clock()
  const token = readCookie(request, 'portal')
  return {
    context,
    request,
    now,
    params: request.params as Record<string, string>,
    query: new URL(request.originalUrl, 'http://portal').searchParams,
    form: new URLSearchParams(),
    publicUrl: publicUrlOf(context.config, request),
    assetUrl: assets.urlOf,
    signInFlow: readCookie(request, 'portal-sso'),
    session: token === undefined ? undefined : await findSession(context, token, now),
  }
}

export async function asMember(visit: Visit, session: Session): Promise<MemberVisit> {
  return {
    ...visit,
    session,
    formToken: formToken(visit.context.secret, session.tokenHash),
    environment: await shownEnvironment(visit.context.db, session.organizationId, visit.query),
    act: { actor: `portal:${session.accountId}`, now: visit.now },
  }
}
