import { createHash, timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import type { RequestHandler } from 'express'
import type { AppContext } from '../context.js'
import { ServiceError } from '../core/service-error.js'
import type { Metrics } from '../telemetry/metrics.js'

/** `/metrics` on the API's port: only with METRICS_TOKEN set, and only for requests that carry it. */
export function metricsHandler(context: AppContext): RequestHandler {
  const token = context.config.secrets.metricsToken
  return async (request, response) => {
    if (token === undefined) {
      throw new ServiceError(
        'not_found',
        'Metrics are served on METRICS_PORT, or here when METRICS_TOKEN is set.',
      )
    }
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) {
      throw new ServiceError(
        'invalid_api_key',
        'Send the metrics token as `Authorization: Bearer`.',
      )
    }
    response.type(context.metrics.registry.contentType)
    response.send(await context.metrics.read())
  }
}

/** Compares digests, so that neither content nor length leaks through time. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

/** A server for Prometheus alone, for a port that only the operator's network reaches. */
export function createMetricsServer(metrics: Metrics): http.Server {
  return http.createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.read().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}
