import express, { type Express, type RequestHandler } from 'express'
import helmet from 'helmet'
import type { AppContext } from '../context.js'
import { API_ROUTES } from './api-routes.js'
import { createBodyBudget } from './body-budget.js'
import { createJsonParser } from './json-parser.js'
import { errorHandler } from './error-response.js'
import { partnerHeadersSchema } from './partner-headers.js'
import { sendQuotaHeaders } from './quota-headers.js'
import { traceRequests } from './trace-requests.js'
import { ServiceError } from '../core/service-error.js'
import { describeApi } from '../openapi/describe-api.js'
import { docsPages } from './docs-pages.js'
import { serveDocument } from './serve-document.js'
import { portalApp } from '../portal/portal-app.js'
import { traceOf } from '../telemetry/request-trace.js'
import { alive, ready } from './health.js'
import { metricsHandler } from './metrics-endpoint.js'

export interface AppOptions {
  /** Whether the server finishes its calls and takes no others. */
  isStopping: () => boolean
}

const NOT_STOPPING: AppOptions = { isStopping: () => false }

/** Creates the HTTP application from the parts of the context: middlewares in order, then the routes. */
export function createApp(context: AppContext, { isStopping }: AppOptions = NOT_STOPPING): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('case sensitive routing', true)
  app.set('trust proxy', [...context.config.trustedProxies])

  app.use(traceRequests(context))
  app.use(helmet(SECURITY_HEADERS))
  app.use('/v1', sendQuotaHeaders(), forbidStoring)

  const pages = {
    '/healthz': alive(),
    '/readyz': ready({ ...context, isStopping }),
    '/metrics': metricsHandler(context),
    '/openapi.json': serveDocument(describeApi(API_ROUTES, partnerHeadersSchema)),
  }
  for (const [path, handler] of Object.entries(pages)) {
    app.get(path, named(path), handler)
    app.all(path, named(path), allowOnly('GET, HEAD'))
  }
  app.use('/docs', named('/docs'), docsPages())
  app.use('/portal', portalApp(context))
  const bodyBudget = createBodyBudget(context.config.bodiesLimitBytes)
  const jsonParser = createJsonParser()
  for (const [path, route] of Object.entries(API_ROUTES)) {
    app.post(path, named(path), route.serve({ context, bodyBudget, jsonParser }))
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

/** An API has no pages: nothing may be loaded or framed. HSTS and upgrades are left to the TLS proxy. */
const SECURITY_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  strictTransportSecurity: false,
}

/** Answers hold what was inferred about people; no cache on the way may keep them. */
const forbidStoring: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store')
  next()
}

/** Records the pattern of the route for log and metrics, which never see the path as sent. */
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
