import type http from 'node:http'
import { createApp } from '../http/app.js'
import { readConfig, type Config } from '../config/config.js'
import { openContext, type AppContext, type ContextOverrides } from '../context.js'
import { assertIsolationPossible } from '../inference/workers/isolation/probe-isolation.js'
import { ensureConfiguredPacks } from '../packs/ensure-configured-packs.js'
import { createFirstOrganization } from './first-organization.js'
import { limitConnections } from './limit-connections.js'
import { addressOf, listen } from './listen.js'
import { prepareDrain, type Drain } from './prepare-drain.js'
import { ReloadRequests } from './reload-requests.js'
import { watchFirstKey } from './remove-first-key.js'
import { waitForStop } from './wait-for-stop.js'
import { openDatabase } from '../database/open-database.js'
import { createLog, describeError, type Log } from '../telemetry/log.js'
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
  /** Parts that tests replace. With other models, no model files and no workers are needed. */
  overrides?: ContextOverrides
}

/** Time for closing everything once the calls are finished or cut; what hangs longer, for example on a dead disk, is left. */
const CLOSE_LIMIT_MS = 15_000

/**
 * Pulls missing model files, then serves until it is asked to stop; resolves when everything is closed.
 * @param reloads - requests to reload since the process started
 */
export async function serve(
  config: Config,
  options: ServeOptions = {},
  reloads: ReloadRequests = new ReloadRequests(),
): Promise<void> {
  const { welcome = process.stdout.isTTY, overrides = {} } = options
  let log: Log | undefined
  const stop = waitForStop({ ...options, onRepeated: () => log && reportRepeatedStop(log) })
  // Until it listens there is nothing to finish.
  void stop.then(() => log ?? process.exit(0))
  if (config.postgres?.migrations === 'only') return migrateOnly(config)
  if (!overrides.models) {
    await assertIsolationPossible(config.inference.workerIsolation)
    await ensureConfiguredPacks(config)
  }
  const context = await openContext(config, overrides)
  let stopWatchingFirstKey: (() => void) | undefined
  let isStopping = false
  try {
    const { drains, address, ...facts } = await startServing(context, {
      welcome,
      isStopping: () => isStopping,
    })
    stopWatchingFirstKey = watchFirstKey({ ...context, dataDir: config.dataDir })
    log = context.log
    log.info('listening; loading models', { address })
    const started = startModels(context).then(
      () => announce(context, { ...facts, address, welcome }),
      (error: unknown) => log?.error('the models could not be loaded', describeError(error)),
    )
    void started.then(() => reloads.handleWith(() => reload(context)))

    const signal = await stop
    isStopping = true
    log.info('stopping; finishing calls in flight', { signal })
    endAfter(config.shutdownGraceMs + CLOSE_LIMIT_MS, log)
    const cut = await Promise.all(drains.map((drain) => drain(config.shutdownGraceMs)))
    const count = cut.reduce((sum, calls) => sum + calls)
    if (count > 0) log.warn('calls took longer than SHUTDOWN_GRACE_MS and were cut', { count })
  } finally {
    stopWatchingFirstKey?.()
    await context.close()
  }
  await removePidFile(config.dataDir)
  context.log.info('stopped')
}

/** Brings the database up to date, for a job that runs before the servers. */
async function migrateOnly(config: Config): Promise<void> {
  const { dataDir, postgres } = config
  const db = await openDatabase(dataDir, { postgres })
  await db.destroy()
  createLog(config.log).info('the database is up to date')
}

interface Serving {
  /** One for each port. */
  drains: Drain[]
  /** URL of the API. */
  address: string
  firstKey: string | undefined
  firstInvitation: string | undefined
  hasAccounts: boolean
}

async function startServing(
  context: AppContext,
  { welcome, isStopping }: { welcome: boolean; isStopping: () => boolean },
): Promise<Serving> {
  const { config } = context
  const { dataDir, host, port, metrics } = config
  const firstKey = await createFirstOrganization({ ...context, dataDir }, context.clock())
  const firstInvitation =
    firstKey !== undefined && welcome ? await inviteFirstOwner(context, context.clock()) : undefined
  const hasAccounts = await hasAnyAccount(context.db)
  const servers: http.Server[] = []
  try {
    servers.push(await listen(createApp(context, { isStopping }), { variable: 'PORT', port, host }))
    limitConnections(servers[0]!, config.maxConnections)
    if (metrics.port !== undefined) {
      const address = { variable: 'METRICS_PORT', port: metrics.port, host } as const
      servers.push(await listen(createMetricsServer(context.metrics), address))
    }
    await writePidFile(dataDir).catch((error: unknown) => {
      // A replica needs no data folder; without the file, it is reloaded by a restart.
      if (!config.postgres) throw error
    })
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }
  const drains = servers.map(prepareDrain)
  return { drains, address: addressOf(servers[0]!), firstKey, firstInvitation, hasAccounts }
}

function announce(
  { config, log }: AppContext,
  facts: Omit<Serving, 'drains'> & { welcome: boolean },
): void {
  if (!facts.welcome) return logReady(log, facts)
  const { dataDir, publicUrl } = config
  printWelcome({ ...facts, portalUrl: `${publicUrl ?? facts.address}/portal`, dataDir })
}

async function startModels({ models, config, warmUp }: AppContext): Promise<void> {
  try {
    await models.start()
  } catch (error) {
    // Engines come back by themselves; the other models are then warm.
    if (config.inference.languageEngines) await warmUp().catch(() => {})
    throw error
  }
  await warmUp()
}

/** Reloads plans and models. */
async function reload(context: AppContext): Promise<void> {
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

function reportRepeatedStop(log: Log): void {
  log.warn('already stopping; calls in flight are finished. SIGKILL would end them', {
    signal: 'SIGTERM',
  })
}

function endAfter(limitMs: number, log: Log): void {
  setTimeout(() => {
    log.error('stopping took too long; something hangs')
    process.exit(1)
  }, limitMs).unref()
}
