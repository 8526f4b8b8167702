import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.js'
import { OperatorError } from '../core/operator-error.js'
import { createVisionServer } from '../inference/engines/worker/serve-vision.js'
import { openVision } from '../inference/open-vision.js'
import { assertIsolationPossible } from '../inference/workers/isolation/probe-isolation.js'
import { ensurePacks } from '../packs/ensure-configured-packs.js'
import { createLog, describeError } from '../telemetry/log.js'
import { createMetrics } from '../telemetry/metrics.js'
import { createMetricsServer } from '../http/metrics-endpoint.js'
import { limitConnections } from './limit-connections.js'
import { addressOf, listen } from './listen.js'
import { prepareDrain } from './prepare-drain.js'
import { waitForStop } from './wait-for-stop.js'

/**
 * Serves the vision models until it is told to stop. It has neither database nor portal, and restarts its worker process like the service.
 * @throws OperatorError when the configuration does not fit
 */
export async function serveVisionWorker(config: Config): Promise<void> {
  requireOwnModels(config)
  const { host, port, inference, packs, metrics: metricsConfig } = config
  const log = createLog(config.log)
  const stop = waitForStop({ onRepeated: () => log.warn('already stopping') })
  await assertIsolationPossible(inference.workerIsolation)
  const { llm: _, ...needed } = packs
  await ensurePacks(config, Object.values(needed))
  const metrics = createMetrics()
  const vision = openVision(config, { log, metrics }, () => packs)
  const server = createVisionServer({
    host: vision,
    apiKey: config.secrets.visionApiKey,
    bodiesLimitBytes: config.photos.limitBytes,
    requestTimeoutMs: config.requestTimeoutMs,
    log,
  })
  const servers = [server]
  try {
    await listen(server, { variable: 'PORT', port, host })
    limitConnections(server, config.maxConnections)
    if (metricsConfig.port !== undefined) {
      const address = { variable: 'METRICS_PORT', port: metricsConfig.port, host } as const
      servers.push(await listen(createMetricsServer(metrics), address))
    }
    const drains = servers.map(prepareDrain)
    log.info('listening; loading models', { address: addressOf(server) })
    vision.start().then(
      () => log.info('ready'),
      (error: unknown) => log.error('the models could not be loaded', describeError(error)),
    )
    const signal = await stop
    log.info('stopping; finishing calls in flight', { signal })
    await Promise.all(drains.map((drain) => drain(config.shutdownGraceMs)))
  } finally {
    for (const each of servers) each.close()
    await vision.close()
  }
  log.info('stopped')
}

/** @throws OperatorError */
function requireOwnModels({ host, inference, secrets }: Config): void {
  if (inference.visionEngines) {
    throw new OperatorError('A vision-worker runs the models itself: unset VISION_URL.')
  }
  const isLocal = host === 'localhost' || (ipaddr.isValid(host) && isLoopback(host))
  if (isLocal || secrets.visionApiKey !== undefined) return
  throw new OperatorError(
    'Everybody who reaches HOST could use the models: set VISION_API_KEY_FILE, here and in the services.',
  )
}

function isLoopback(host: string): boolean {
  return ipaddr.process(host).range() === 'loopback'
}
