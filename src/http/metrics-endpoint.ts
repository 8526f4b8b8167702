import { createHash, timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import type { RequestHandler } from 'express'
import { ServiceError } from '../core/service-error.js'
import type { Metrics } from '../telemetry/metrics.js'

export interface MetricsParts {
  metrics: Metrics
  config: { secrets: { metricsToken: string | undefined } }
}

/** `/metrics` on the API's port, for requests that carry METRICS_TOKEN; not found while that is unset. */
export function metricsHandler({ metrics, config }: MetricsParts): RequestHandler {
  const token = config.secrets.metricsToken
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
    response.type(metrics.registry.contentType)
    response.send(await metrics.read())
  }
}

/** Compares digests, so that timing reveals neither content nor length. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

/** A server for Prometheus alone, on a port that only the operator's network reaches. */
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
