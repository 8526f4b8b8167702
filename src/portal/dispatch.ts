import express, { type Request, type RequestHandler, type Response } from 'express'
import type { AppContext } from '../context.js'
import { formToken, FORM_TOKEN_FIELD, isFormToken, isFromThisPortal } from './access/form-guard.js'
import { isAtLeast } from './access/role.js'
import { clearSessionCookie, readSessionCookie, setSessionCookie } from './access/session-cookie.js'
import { findSession, type Session } from './access/session.js'
import type { Assets } from './assets.js'
import { shownEnvironment } from './environment.js'
import { publicUrlOf } from './public-url.js'
import { Refusal } from './refusal.js'
import type { RouteReply } from './reply.js'
import type { PortalRoute } from './route.js'
import { sendReply } from './send-reply.js'
import type { MemberVisit, Visit } from './visit.js'

export interface PortalParts {
  context: AppContext
  assets: Assets
}

/** A form has a few short fields. */
const FORM_LIMIT = '64kb'
const parseForm = express.text({ type: 'application/x-www-form-urlencoded', limit: FORM_LIMIT })

/** The path that every request of the portal takes: session → role → origin and token of a form → page. */
export function dispatch(parts: PortalParts, route: PortalRoute): RequestHandler {
  return async (request, response) => {
    const visit = await startVisit(parts, request)
    if (route.method === 'post') await readForm(visit, request, response)
    const reply = await answer(route, visit)
    if (reply.sessionToken === null) clearSessionCookie(request, response)
    else if (reply.sessionToken) setSessionCookie(request, response, reply.sessionToken)
    if (reply.retryAfterSeconds !== undefined) {
      response.setHeader('Retry-After', String(reply.retryAfterSeconds))
    }
    sendReply(response, reply)
  }
}

/** What a request says, and who sent it. */
export async function startVisit(
  { context, assets }: PortalParts,
  request: Request,
): Promise<Visit> {
  const now = context.clock()
  const token = readSessionCookie(request)
  return {
    context,
    request,
    now,
    params: request.params as Record<string, string>,
    query: new URL(request.originalUrl, 'http://portal').searchParams,
    form: new URLSearchParams(),
    publicUrl: publicUrlOf(context.config, request),
    assetUrl: assets.urlOf,
    session: token === undefined ? undefined : await findSession(context, token, now),
  }
}

async function answer(route: PortalRoute, visit: Visit): Promise<RouteReply> {
  if (route.access === 'anyone') return route.handle(visit)
  const { session } = visit
  if (!session) return askToSignIn(visit)
  if (!isAtLeast(session.role, route.access)) throw tooLittle(route.access)
  return route.handle(await asMember(visit, session))
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

function askToSignIn({ request }: Visit): RouteReply {
  if (request.method === 'POST') {
    throw new Refusal(401, {
      title: 'You are signed out',
      message: 'Your session is over, and nothing was changed. Sign in and try again.',
    })
  }
  const next = new URLSearchParams({ next: request.originalUrl })
  return { kind: 'redirect', location: `/portal/sign-in?${next}` }
}

function tooLittle(least: string): Refusal {
  return new Refusal(403, {
    title: 'Your role does not allow this',
    message: `This takes the role ${least}. An owner of your organisation can change roles under Members.`,
  })
}

async function readForm(visit: Visit, request: Request, response: Response): Promise<void> {
  if (!isFromThisPortal(request)) {
    throw new Refusal(403, {
      title: 'This form came from elsewhere',
      message:
        'Nothing was changed. Send the form from a page of this portal. Behind a proxy, its operator must pass the header Host on.',
    })
  }
  await new Promise<void>((resolve, reject) => {
    parseForm(request, response, (error?: unknown) => {
      if (error) reject(error as Error)
      else resolve()
    })
  })
  if (typeof request.body === 'string') visit.form = new URLSearchParams(request.body)
  const { session, context } = visit
  const given = visit.form.get(FORM_TOKEN_FIELD)
  if (session && !isFormToken(context.secret, session.tokenHash, given)) {
    throw new Refusal(403, {
      title: 'This form is out of date',
      message:
        'Nothing was changed. You have signed in anew since the page was opened: open it again.',
    })
  }
}
