import express, { type RequestHandler, type Router } from 'express'
import type { AppContext } from '../context.js'
import { traceOf } from '../telemetry/request-trace.js'
import { openAssets } from './assets.js'
import { dispatch } from './dispatch.js'
import { answerWithErrorPage } from './error-page.js'
import { pageHeaders } from './page-headers.js'
import { notFound, Refusal } from './refusal.js'
import { PORTAL_ROUTES } from './routes.js'

/** The partner portal, to be mounted at `/portal`. */
export function portalApp(context: AppContext): Router {
  const assets = openAssets()
  const router = express.Router({ caseSensitive: true })
  router.use(pageHeaders())
  router.get('/assets/:name', named('/assets/:name'), assets.serve)
  for (const route of PORTAL_ROUTES) {
    router[route.method](route.path, named(route.path), dispatch({ context, assets }, route))
  }
  for (const path of new Set(PORTAL_ROUTES.map((route) => route.path))) {
    router.all(path, named(path), refuseMethod(methodsOf(path)))
  }
  router.use(named(''), () => {
    throw notFound()
  })
  router.use(answerWithErrorPage({ context, assets }))
  return router
}

function methodsOf(path: string): string {
  const methods = PORTAL_ROUTES.filter((route) => route.path === path).map(({ method }) => method)
  return methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : ['POST'])).join(', ')
}

/** Notes the route's pattern for log and metrics: a path may hold the token of an invitation. */
function named(path: string): RequestHandler {
  return (_request, response, next) => {
    traceOf(response).route = path === '/' ? '/portal' : `/portal${path}`
    next()
  }
}

function refuseMethod(allowed: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', allowed)
    throw new Refusal(405, {
      title: 'This does not work here',
      message: 'The address was called in a way it does not answer to. Go back and try again.',
    })
  }
}
