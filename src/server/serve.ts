import http, { type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '../http/app.js'
import { readConfig, type Config } from '../config/config.js'
import { openContext, type AppContext } from '../context.js'
import { ensureConfiguredPacks } from '../packs/ensure-configured-packs.js'
import { createFirstOrganization } from './first-organization.js'
import { limitConnections } from './limit-connections.js'
import { waitForStop } from './wait-for-stop.js'
import { describeError } from '../telemetry/log.js'
import { createMetricsServer } from '../http/metrics-endpoint.js'
import { hasAnyAccount } from '../accounts/account.js'
import { inviteFirstOwner } from '../accounts/invite-first-owner.js'
import { removePidFile, writePidFile } from './pid-file.js'
import { logReady, printWelcome } from './welcome.js'

export interface ServeOptions {
  /** Stop when the parent process ends, as expected of a child of a terminal. */
  endWithParent?: boolean
  /** Print the welcome with the first key. Default: only on a terminal. */
  welcome?: boolean
}

/** Time limit for receiving a body; REQUEST_TIMEOUT_MS limits the time from then on. */
const UPLOAD_TIMEOUT_MS = 120_000

/**
 * Longer than the idle timeout of proxies (nginx and AWS 60 s, Google Cloud 600 s): if the service closed an idle
 * connection first, a request that the proxy sends at that moment would be lost.
 * Source: https://cloud.google.com/load-balancing/docs/https#timeout-keepalive-backends
 */
const KEEP_ALIVE_MS = 620_000
/** Time limit for receiving the headers of a request: clients send them at once. */
const HEADERS_TIMEOUT_MS = 20_000
const CONNECTIONS_CHECK_MS = 2_000
/** Interval for closing connections that became idle while the server stops. */
const SWEEP_MS = 100

/** Pulls missing model files, then serves until it is asked to stop; resolves when everything is closed. */
export async function serve(config: Config, options: ServeOptions = {}): Promise<void> {
  const { welcome = process.stdout.isTTY } = options
  const stop = waitForStop(options)
  await ensureConfiguredPacks(config)
  const context = await openContext(config)
  const firstKey = await createFirstOrganization(
    { ...context, dataDir: config.dataDir },
    context.clock(),
  )
  const firstInvitation =
    firstKey !== undefined && welcome ? await inviteFirstOwner(context, context.clock()) : undefined
  const hasAccounts = await hasAnyAccount(context.db)
  const servers = [await listen(createApp(context), config.port, config.host)]
  limitConnections(servers[0]!, config.maxConnections)
  if (config.metrics.port !== undefined) {
    servers.push(
      await listen(createMetricsServer(context.metrics), config.metrics.port, config.host),
    )
  }
  await writePidFile(config.dataDir)
  reloadOnSignal(context)
  const address = addressOf(servers[0]!)
  context.log.info('listening; loading models', { address })
  startModels(context).then(
    () => {
      if (!welcome) return logReady(context.log, { address, firstKey, hasAccounts })
      const portalUrl = `${config.publicUrl ?? address}/portal`
      const { dataDir } = config
      printWelcome({ address, portalUrl, firstKey, firstInvitation, hasAccounts, dataDir })
    },
    (error: unknown) => context.log.error('the models could not be loaded', describeError(error)),
  )

  const signal = await stop
  context.log.info('stopping; finishing calls in flight', { signal })
  await Promise.all(servers.map((server) => closeServer(server, config.shutdownGraceMs)))
  await context.close()
  await removePidFile(config.dataDir)
  context.log.info('stopped')
}

async function startModels(context: AppContext): Promise<void> {
  await context.models.start()
  await context.warmUp()
}

/**
 * Reloads plans and models on SIGUSR2, and on SIGHUP for a service without a terminal; on a terminal SIGHUP means that
 * the terminal was closed.
 */
function reloadOnSignal(context: AppContext): void {
  const reloadOnce = async () => {
    try {
      const config = readConfig()
      await context.reloadPlans(config)
      context.log.info('plans reloaded', { count: context.plans.size })
      await ensureConfiguredPacks(config)
      await context.models.swap(config)
      await context.warmUp()
      context.log.info('models reloaded')
    } catch (error) {
      context.log.error(
        'the reload failed; plans and models that were not reloaded stay in use',
        describeError(error),
      )
    }
  }
  let reloading = Promise.resolve()
  // One after the other, so that the latest configuration wins.
  const reload = () => (reloading = reloading.then(reloadOnce))
  process.on('SIGUSR2', () => void reload())
  if (!process.stdout.isTTY) process.on('SIGHUP', () => void reload())
}

async function listen(
  app: RequestListener | http.Server,
  port: number,
  host: string,
): Promise<http.Server> {
  const server =
    app instanceof http.Server
      ? app
      : http.createServer({ connectionsCheckingInterval: CONNECTIONS_CHECK_MS }, app)
  server.requestTimeout = UPLOAD_TIMEOUT_MS
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return server
}

function addressOf(server: http.Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Accepts no new connections, lets calls in flight finish, and closes the remaining connections after `graceMs`. */
async function closeServer(server: http.Server, graceMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  // Keep-alive connections become idle once their call is answered and would otherwise stay open.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(sweep)
  clearTimeout(cut)
}
