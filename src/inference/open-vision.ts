import type { Config } from '../config/config.js'
import { openPack } from '../packs/open-pack.js'
import { visionDataLimit } from './encoder/vision-data-limit.js'
import type { VisionMethods } from './encoder/vision.js'
import type { VisionSettings } from './encoder/vision-settings.js'
import { createWorkerEngines, type WorkerEngines } from './engines/kserve/worker-engines.js'
import { createRemoteVision, type RemoteVision } from './engines/worker/remote-vision.js'
import { methodLabel, NO_LIMIT, openHost, type Telemetry } from './open-host.js'
import { reportEngines } from './report-engines.js'
import type { ModelHost } from './workers/model-host.js'

type Packs = Config['packs']

/**
 * The vision model where the configuration has it: in a worker process of this machine, which may leave its models to KServe engines, or in
 * workers of other machines. Nothing is loaded before `start`.
 * @param packs - those in use; read at every start and swap
 */
export function openVision(
  config: Config,
  telemetry: Telemetry,
  packs: () => Packs,
): ModelHost<VisionMethods> {
  const { visionEngines } = config.inference
  if (visionEngines?.protocol === 'worker') return openRemote(config, telemetry, packs)
  return openLocal(config, telemetry, packs)
}

function openLocal(
  config: Config,
  telemetry: Telemetry,
  packs: () => Packs,
): ModelHost<VisionMethods> {
  const { inference, secrets } = config
  const { visionEngines } = inference
  const engines: WorkerEngines | undefined =
    visionEngines &&
    createWorkerEngines({
      ...visionEngines,
      apiKey: secrets.visionApiKey,
      log: telemetry.log,
      report: reportEngines('vision', telemetry.metrics, () => engines?.load() ?? []),
    })
  const host = openHost<VisionMethods>(config, telemetry, {
    role: 'vision',
    // The worker batches photos of concurrent calls, so it needs several calls at once.
    queue: { concurrency: inference.matchConcurrency, limit: NO_LIMIT },
    settings: async (): Promise<VisionSettings> => ({
      ...(await openVisionPacks(config, packs())),
      threads: inference.visionThreads,
      // Engines have the GPU; here, models run only to say what engines must answer.
      device: visionEngines ? 'cpu' : inference.device,
      engines: visionEngines && { concurrency: visionEngines.concurrency },
    }),
    dataLimitBytes: (settings) => visionDataLimit(settings as VisionSettings),
    openAnswerer: engines?.openAnswerer,
    onEvent: engines?.onEvent,
  })
  if (!engines) return host
  return {
    ...host,
    state: () => (engines.problem() === undefined ? host.state() : 'restarting'),
    problem: () => host.problem() ?? engines.problem(),
  }
}

function openRemote(
  config: Config,
  { log, metrics }: Telemetry,
  packs: () => Packs,
): ModelHost<VisionMethods> {
  const { inference, secrets } = config
  const role = 'vision'
  const host: RemoteVision = createRemoteVision({
    ...inference.visionEngines!,
    apiKey: secrets.visionApiKey,
    packs: () => openVisionPacks(config, packs()),
    log,
    report: reportEngines(role, metrics, () => host.engines()),
    onEvent: (event) => metrics.workerEvents.inc({ role, event }),
    onWait: (waitedMs) => metrics.queueSeconds.observe({ role }, waitedMs / 1_000),
    onService: (method, serviceMs) =>
      metrics.inferenceSeconds.observe({ role, method: methodLabel(method) }, serviceMs / 1_000),
  })
  metrics.beforeRead(() => metrics.queueDepth.set({ role }, host.load().waiting))
  return host
}

/**
 * Opens the packs of the vision model.
 * @throws PackError
 */
export async function openVisionPacks(config: Pick<Config, 'modelsDir'>, packs: Packs) {
  return {
    clip: await openPack(config, packs.clip, 'clip'),
    photoSafety: await openPack(config, packs.photoSafety, 'photo-safety'),
    bioSafety: await openPack(config, packs.bioSafety, 'bio-safety'),
    match: await openPack(config, packs.match, 'match'),
  }
}
