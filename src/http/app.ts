import express, { type Express, type RequestHandler } from 'express'
import helmet from 'helmet'
import type { AppContext } from '../context.js'
import { errorHandler } from './error-response.js'
import { ServiceError } from '../core/service-error.js'
import { reportEventsEndpoint } from '../events/report-events.js'
import { evaluateMatchEndpoint } from '../match/evaluate-match.js'
import { describeApi } from '../openapi/describe-api.js'
import { docsPages } from './docs-pages.js'
import { serveDocument } from './serve-document.js'
import { generateOpenersEndpoint } from '../openers/generate-openers.js'
import { setQuotaHeaders, UNKNOWN_QUOTA } from './quota-headers.js'
import { portalApp } from '../portal/portal-app.js'
import { inferPreferencesEndpoint } from '../preferences/infer-preferences.js'
import { traceOf, traceRequests } from '../telemetry/request-trace.js'
import { alive, ready } from './health.js'
import { metricsHandler } from './metrics-endpoint.js'

/** The calls of the interface: path → endpoint, all by POST. */
export const API_ROUTES = {
  '/v1/profile/infer-preferences': inferPreferencesEndpoint,
  '/v1/match/evaluate': evaluateMatchEndpoint,
  '/v1/conversation/openers': generateOpenersEndpoint,
  '/v1/events': reportEventsEndpoint,
} as const

/** The HTTP application; every part it uses comes from the context. */
export function createApp(context: AppContext): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('case sensitive routing', true)
  app.set('trust proxy', [...context.config.trustedProxies])

  app.use(traceRequests(context))
  app.use(helmet(SECURITY_HEADERS))
  app.use('/v1', (_request, response, next) => {
    setQuotaHeaders(response, 'none', UNKNOWN_QUOTA)
    next()
  })

  const pages = {
    '/healthz': alive(),
    '/readyz': ready(context),
    '/metrics': metricsHandler(context),
    '/openapi.json': serveDocument(describeApi(API_ROUTES)),
  }
  for (const [path, handler] of Object.entries(pages)) {
    app.get(path, named(path), handler)
    app.all(path, named(path), allowOnly('GET, HEAD'))
  }
  app.use('/docs', named('/docs'), docsPages())
  app.use('/portal', portalApp(context))
  for (const [path, endpoint] of Object.entries(API_ROUTES)) {
    app.post(path, named(path), endpoint.handler(context))
    app.all(path, named(path), allowOnly('POST'))
  }

  app.use(() => {
    throw new ServiceError(
      'not_found',
      'There is nothing at this path. The calls are described at /docs.',
    )
  })
  app.use(errorHandler(context.log))
  return app
}

/** An API has no pages: nothing may be loaded or framed. HSTS and upgrades are the TLS proxy's to decide. */
const SECURITY_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  strictTransportSecurity: false,
}

/** Notes the route's pattern for log and metrics, which never see the path as sent. */
function named(route: string): RequestHandler {
  return (_request, response, next) => {
    traceOf(response).route = route
    next()
  }
}

function allowOnly(method: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', method)
    throw new ServiceError('method_not_allowed', `This path takes ${method} requests only.`)
  }
}
