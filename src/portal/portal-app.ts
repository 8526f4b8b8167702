import express, { type RequestHandler, type Router } from 'express'
import { traceOf } from '../telemetry/request-trace.js'
import { openAssets } from './assets.js'
import { checkHost } from './check-host.js'
import { dispatch } from './dispatch.js'
import { answerWithErrorPage } from './error-page.js'
import { pageHeaders } from './page-headers.js'
import type { PortalServices } from './portal-services.js'
import { notFound, Refusal } from './refusal.js'
import { PORTAL_ROUTES } from './routes.js'

/** The partner portal, to be mounted at `/portal`. */
export function portalApp(services: PortalServices): Router {
  const parts = { services, assets: openAssets() }
  const router = express.Router({ caseSensitive: true })
  router.use(pageHeaders(services.config))
  router.use(traceRoute(''), checkHost(services.config))
  router.get('/assets/:name', traceRoute('/assets/:name'), parts.assets.serve)
  for (const route of PORTAL_ROUTES) {
    router[route.method](route.path, traceRoute(route.path), dispatch(parts, route))
  }
  for (const path of new Set(PORTAL_ROUTES.map((route) => route.path))) {
    router.all(path, traceRoute(path), refuseMethod(methodsOf(path)))
  }
  router.use(traceRoute(''), () => {
    throw notFound()
  })
  router.use(answerWithErrorPage(parts))
  return router
}

function methodsOf(path: string): string {
  const methods = PORTAL_ROUTES.filter((route) => route.path === path).map(({ method }) => method)
  return methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : ['POST'])).join(', ')
}

/** Sets the route's pattern for log and metrics. The path itself may hold the token of an invitation. */
function traceRoute(path: string): RequestHandler {
  return (_request, response, next) => {
    traceOf(response).route = path === '/' ? '/portal' : `/portal${path}`
    next()
  }
}

function refuseMethod(allowed: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', allowed)
    throw new Refusal(405, {
      title: 'This method is not allowed',
      message: 'This address does not accept this kind of request. Go back and try again.',
    })
  }
}
