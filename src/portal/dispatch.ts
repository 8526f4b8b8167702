import express, { type Request, type RequestHandler, type Response } from 'express'
import { isAtLeast, type Role } from '../accounts/role.js'
import { FORM_TOKEN_FIELD, isFormToken, isSameOrigin } from './form-guard.js'
import { setCookie, usesHttps, type CookieName } from './portal-cookies.js'
import { Refusal } from './refusal.js'
import { redirect, type RouteReply } from './reply.js'
import type { PortalRoute } from './route.js'
import { sendReply } from './send-reply.js'
import { startVisit, toMemberVisit, type PortalParts } from './start-visit.js'
import type { Visit } from './visit.js'

/** Forms have only a few short fields. */
const FORM_LIMIT = '64kb'
/** Proxies refuse answers with headers of more than 4 KB, and escaping makes an address three times as long. */
const MAX_RETURN_PATH = 1_000
const parseForm = express.text({ type: 'application/x-www-form-urlencoded', limit: FORM_LIMIT })

/** Handles a portal request in order: origin of a form → session → role → form token → page. */
export function dispatch(parts: PortalParts, route: PortalRoute): RequestHandler {
  return async (request, response) => {
    if (route.method === 'post' && !isSameOrigin(request, parts.services.config))
      throw foreignForm()
    const visit = await startVisit(parts, request)
    const reply = await answer(route, visit, response)
    setCookies(response, reply, usesHttps(parts.services.config, request))
    if (reply.retryAfterSeconds !== undefined) {
      response.setHeader('Retry-After', String(reply.retryAfterSeconds))
    }
    sendReply(response, reply)
  }
}

function setCookies(response: Response, reply: RouteReply, isHttps: boolean): void {
  const { sessionToken, signInFlow, invitationToken, passkeyChallenge, browserToken } = reply
  const values = {
    portal: sessionToken,
    'portal-sso': signInFlow,
    'portal-invitation': invitationToken,
    'portal-passkey': passkeyChallenge,
    'portal-browser': browserToken,
  } satisfies Record<CookieName, string | null | undefined>
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) setCookie(response, { name: name as CookieName, value }, isHttps)
  }
}

async function answer(route: PortalRoute, visit: Visit, response: Response): Promise<RouteReply> {
  const { session, request, services } = visit
  if (route.access === 'anyone') {
    return route.handle({ ...visit, form: await readForm(request, response) })
  }
  if (!session) return askToSignIn(visit)
  if (!isAtLeast(session.role, route.access)) throw insufficientRole(route.access)
  const form = await readForm(request, response)
  const token = form.get(FORM_TOKEN_FIELD)
  if (route.method === 'post' && !isFormToken(services.secret, session.tokenHash, token)) {
    throw outdatedForm()
  }
  return route.handle(await toMemberVisit({ ...visit, form }, session))
}

/** The fields of a submitted form; empty for GET. */
async function readForm(request: Request, response: Response): Promise<URLSearchParams> {
  if (request.method !== 'POST') return new URLSearchParams()
  await new Promise<void>((resolve, reject) => {
    parseForm(request, response, (error?: unknown) => {
      if (error) reject(error as Error)
      else resolve()
    })
  })
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '')
}

function askToSignIn({ request }: Visit): RouteReply {
  if (request.method === 'POST') {
    throw new Refusal(401, {
      title: 'You are signed out',
      message: 'Your session has ended, and nothing was changed. Sign in and try again.',
    })
  }
  if (request.originalUrl.length > MAX_RETURN_PATH) return redirect('/portal/sign-in')
  const next = new URLSearchParams({ next: request.originalUrl })
  return redirect(`/portal/sign-in?${next}`)
}

function insufficientRole(required: Role): Refusal {
  return new Refusal(403, {
    title: 'Your role does not allow this',
    message: `You need the role ${required} for this. An owner of your organisation can change roles under Members.`,
  })
}

function foreignForm(): Refusal {
  return new Refusal(403, {
    title: 'This form came from another site',
    message:
      'Nothing was changed. Submit the form from a page of this portal. If the portal runs behind a proxy, the proxy must pass on the Host header.',
  })
}

function outdatedForm(): Refusal {
  return new Refusal(403, {
    title: 'This form is out of date',
    message:
      'Nothing was changed. You have signed in again since this page was opened. Reload it and try again.',
  })
}
