import path from 'node:path'
import type { Config } from '../config/config.js'
import { ServiceError } from '../core/service-error.js'
import { cacheFolder } from '../packs/model-lock.js'
import { openPack } from '../packs/open-pack.js'
import { createCaptionCache } from './encoder/caption-cache.js'
import { createHostedLanguage, createHostedVision } from './hosted-models.js'
import type { LanguageModel } from './language/language.js'
import type { ModelHost } from './workers/model-host.js'
import { describeIsolation } from './workers/isolation/worker-isolation.js'
import { loadPrompts, type Prompts } from './language/prompts.js'
import type { Telemetry } from './open-host.js'
import { openLanguage } from './open-language.js'
import { openVision } from './open-vision.js'
import type { MethodTable, WorkerRole } from './workers/protocol.js'
import type { VisionModel } from './encoder/vision.js'
import type { ModelState } from './workers/worker-supervisor.js'

/** State of one worker, for `/readyz` and the log. */
export interface ModelStatus {
  role: WorkerRole
  state: ModelState
  packs: readonly string[]
  device: string | undefined
  /** What keeps the worker from network and files. */
  isolation?: string | undefined
  /** Why the worker does not serve: its last failure. */
  problem?: string | undefined
}

/** The models of the service and their workers. */
export interface Models {
  vision: VisionModel
  language: LanguageModel
  /**
   * Prompts of the language pack in use.
   * @throws ServiceError `model_unavailable` until a language pack is loaded
   */
  prompts(): Prompts
  status(): ModelStatus[]
  /** Resolves when every model is ready. */
  start(): Promise<void>
  /**
   * Replaces the models by those of another configuration, one after the other, without losing a call. When a model cannot be
   * loaded, rejects with the reason and keeps it and all later ones. Do not call it concurrently.
   */
  swap(config: Config): Promise<void>
  close(): Promise<void>
}

const VISION_PACKS = ['clip', 'photoSafety', 'bioSafety', 'match'] as const

/**
 * Prepares both workers; nothing is loaded before `start`.
 * @param saltKey - key of the salts that separate the prefix caches of tenants at language engines; undefined: none are sent
 */
export function openModels(config: Config, telemetry: Telemetry, saltKey?: Buffer): Models {
  const { inference } = config
  let packs = config.packs
  let prompts: { next?: Prompts; current?: Prompts } = {}

  const vision = openVision(config, telemetry, () => packs)
  const language = openLanguage(
    { config, telemetry, saltKey },
    {
      readPack: async () => {
        const pack = await openPack(config, packs.llm, 'llm')
        const { system, sampling } = pack.llm
        prompts.next = await loadPrompts(pack.llm.prompts, {
          system,
          sampling,
          revision: pack.revision,
        })
        return { pack, ...prompts.next.openerStart }
      },
      // Prompts change together with the worker that they belong to.
      onEvent: (event) => {
        if (event === 'started' || event === 'swapped') prompts = { current: prompts.next! }
      },
    },
  )
  const hosts = { vision, language }

  /** Restores the packs after a failed swap, so that a crashed worker restarts with the last working ones. */
  async function swapTo(host: Pick<ModelHost<MethodTable>, 'swap'>, next: Config['packs']) {
    const before = packs
    packs = next
    try {
      await host.swap()
    } catch (error) {
      packs = before
      // The vocabulary is already that of the pack which the engines turned out not to serve.
      if (inference.languageEngines && host === language) await host.swap().catch(() => {})
      throw error
    }
  }

  const hostedVision = createHostedVision(vision)
  const captionFolder = path.join(cacheFolder(config.modelsDir), 'captions')
  return {
    vision: { ...hostedVision, embedCaptions: createCaptionCache(hostedVision, captionFolder) },
    language: createHostedLanguage(language),
    prompts: () => {
      if (prompts.current) return prompts.current
      throw new ServiceError('model_unavailable', 'The language model is not loaded yet.')
    },
    status: () =>
      (['vision', 'language'] as const).map((role) => {
        const info = hosts[role].info()
        return {
          role,
          state: hosts[role].state(),
          packs: info?.packs ?? [],
          device: info?.device,
          isolation: info && describeIsolation(info.isolation),
          problem: hosts[role].problem(),
        }
      }),
    start: async () => {
      await Promise.all([vision.start(), language.start()])
    },
    swap: async (next) => {
      const { llm, ...ofVision } = next.packs
      const isChanged = VISION_PACKS.some((role) => packs[role] !== ofVision[role])
      if (isChanged) await swapTo(vision, { ...packs, ...ofVision })
      // The prompts of a pack may change while its name does not.
      await swapTo(language, { ...packs, llm })
    },
    close: async () => {
      await Promise.all([vision.close(), language.close()])
    },
  }
}
