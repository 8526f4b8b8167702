import express, { type Request, type RequestHandler, type Response } from 'express'
import { FORM_TOKEN_FIELD, isFormToken, isFromThisPortal } from './form-guard.js'
import { setCookie } from './portal-cookies.js'
import { isAtLeast, type Role } from '../accounts/role.js'
import { Refusal } from './refusal.js'
import type { RouteReply } from './reply.js'
import type { PortalRoute } from './route.js'
import { sendReply } from './send-reply.js'
import { asMember, startVisit, type PortalParts } from './start-visit.js'
import type { Visit } from './visit.js'

/** A form has a few short fields. */
const FORM_LIMIT = '64kb'
const parseForm = express.text({ type: 'application/x-www-form-urlencoded', limit: FORM_LIMIT })

/** The path that every request of the portal takes: origin of a form → session → role → token of a form → page. */
export function dispatch(parts: PortalParts, route: PortalRoute): RequestHandler {
  return async (request, response) => {
    if (route.method === 'post' && !isFromThisPortal(request)) throw foreignForm()
    const visit = await startVisit(parts, request)
    const reply = await answer(route, visit, response)
    const { sessionToken, signInFlow } = reply
    if (sessionToken !== undefined) setCookie(response, { name: 'portal', value: sessionToken })
    if (signInFlow !== undefined) setCookie(response, { name: 'portal-sso', value: signInFlow })
    if (reply.retryAfterSeconds !== undefined) {
      response.setHeader('Retry-After', String(reply.retryAfterSeconds))
    }
    sendReply(response, reply)
  }
}

async function answer(route: PortalRoute, visit: Visit, response: Response): Promise<RouteReply> {
  const { session, request, context } = visit
  if (route.access === 'anyone') {
    return route.handle({ ...visit, form: await readForm(request, response) })
  }
  if (!session) return askToSignIn(visit)
  if (!isAtLeast(session.role, route.access)) throw tooLittle(route.access)
  const form = await readForm(request, response)
  const token = form.get(FORM_TOKEN_FIELD)
  if (route.method === 'post' && !isFormToken(context.secret, session.tokenHash, token)) {
    throw outdatedForm()
  }
  return route.handle(await asMember({ ...visit, form }, session))
}

/** The fields of a form; none for GET. */
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
      message: 'Your session is over, and nothing was changed. Sign in and try again.',
    })
  }
  const next = new URLSearchParams({ next: request.originalUrl })
  return { kind: 'redirect', location: `/portal/sign-in?${next}` }
}

function tooLittle(least: Role): Refusal {
  return new Refusal(403, {
    title: 'Your role does not allow this',
    message: `This takes the role ${least}. An owner of your organisation can change roles under Members.`,
  })
}

function foreignForm(): Refusal {
  return new Refusal(403, {
    title: 'This form came from elsewhere',
    message:
      'Nothing was changed. Send the form from a page of this portal. Behind a proxy, its operator must pass the header Host on.',
  })
}

function outdatedForm(): Refusal {
  return new Refusal(403, {
    title: 'This form is out of date',
    message:
      'Nothing was changed. You have signed in anew since the page was opened. Open it again.',
  })
}
