import http, { type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '../http/app.js'
import { readConfig, type Config } from '../config/config.js'
import { openContext, type AppContext } from '../context.js'
import { ensureConfiguredPacks } from '../packs/ensure-configured-packs.js'
import { createFirstOrganization } from './first-organization.js'
import { awaitStop } from './stop-request.js'
import { describeError } from '../telemetry/log.js'
import { createMetricsServer } from '../http/metrics-endpoint.js'
import { hasAnyAccount } from '../accounts/account.js'
import { inviteFirstOwner } from '../accounts/invite-first-owner.js'
import { removePidFile, writePidFile } from './pid-file.js'
import { logReady, printWelcome } from './welcome.js'

export interface ServeOptions {
  /** Stop when the process that started this one ends, as a terminal's child is expected to. */
  endWithParent?: boolean
  /** End the start with what a newcomer needs, keys included. Default: on a terminal. */
  welcome?: boolean
}

/** A body has to be here by then; how long the answer may take from there on is REQUEST_TIMEOUT_MS. */
const UPLOAD_TIMEOUT_MS = 120_000

/**
 * Longer than proxies keep a connection that nobody uses (nginx and AWS 60 s, Google Cloud 600 s): when the service is
 * the first to close it, a request that a proxy sends at that moment is lost.
 * Source: https://cloud.google.com/load-balancing/docs/https#timeout-keepalive-backends
 */
const KEEP_ALIVE_MS = 620_000
/** How often connections that have become idle are looked for while the server stops. */
const SWEEP_MS = 100

/** Pulls what is missing, then serves until a signal says stop; resolves when everything is closed. */
export async function serve(config: Config, options: ServeOptions = {}): Promise<void> {
  const { welcome = process.stdout.isTTY } = options
  const stop = awaitStop(options)
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
    (error: unknown) => context.log.error('models cannot be used yet', describeError(error)),
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
 * SIGUSR2, or SIGHUP for a service without a terminal, reads the configuration again, then the plans, and swaps the
 * models it names. On a terminal SIGHUP means that the terminal is gone.
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
        'the reload failed; what could not be read stays as it was',
        describeError(error),
      )
    }
  }
  let reloading = Promise.resolve()
  // One after the other, so that what was configured last is what serves.
  const reload = () => (reloading = reloading.then(reloadOnce))
  process.on('SIGUSR2', () => void reload())
  if (!process.stdout.isTTY) process.on('SIGHUP', () => void reload())
}

async function listen(
  app: RequestListener | http.Server,
  port: number,
  host: string,
): Promise<http.Server> {
  const server = app instanceof http.Server ? app : http.createServer(app)
  server.requestTimeout = UPLOAD_TIMEOUT_MS
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

/** Takes no new connection, lets calls in flight finish, and cuts what is left after the grace time. */
async function closeServer(server: http.Server, graceMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  // A connection whose call has just been answered is kept for the next one, which cannot come any more.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(sweep)
  clearTimeout(cut)
}
