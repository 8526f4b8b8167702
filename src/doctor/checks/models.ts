import type { Config } from '../../config/config.js'
import { openModels } from '../../inference/open-models.js'
import { checkPack } from '../../packs/check-pack.js'
import { openCheckedPack } from '../../packs/open-pack.js'
import { PackError } from '../../packs/pack-error.js'
import { resolvePack } from '../../packs/pack-folder.js'
import { selectedPacks } from '../../packs/selected-packs.js'
import type { Log } from '../../telemetry/log.js'
import { createMetrics } from '../../telemetry/metrics.js'
import { failed, ok, type Finding } from '../check.js'
import { SILENT_LOG } from '../silent-log.js'

/** Checks the hashes of all files of the configured packs. */
export async function checkModelFiles(
  config: Pick<Config, 'modelsDir' | 'packs'>,
): Promise<Finding> {
  const revisions: string[] = []
  for (const { name, variable } of selectedPacks(config)) {
    try {
      const pack = await resolvePack(config.modelsDir, name)
      const { revision } = await openCheckedPack(pack, await checkPack(pack, 'always'))
      revisions.push(`${name} ${revision}`)
    } catch (error) {
      if (!(error instanceof PackError)) throw error
      return failed(
        error.message.replaceAll(/\s*\n\s*/g, ' '),
        `Run: npm run models -- pull ${name}, or set ${variable} to another pack.`,
      )
    }
  }
  return ok(revisions.join(', '))
}

function describeFix({ inference }: Config): string {
  const { languageEngines, visionEngines } = inference
  if (languageEngines) {
    return 'Engines at LANGUAGE_URL must run and serve the model of LLM_PACK: see "Language engines" in docs/operating.md.'
  }
  if (visionEngines) {
    return 'Servers at VISION_URL must run and have the models of the packs: see "Vision engines" in docs/operating.md.'
  }
  return 'If there are none, try the embedded packs: unset CLIP_PACK, LLM_PACK, PHOTO_SAFETY_PACK, BIO_SAFETY_PACK and MATCH_PACK.'
}

/** Checks that both workers can load their models, and that a language engine can be used if there are any. Beside a running service this needs their memory a second time. */
export async function checkModelLoading(config: Config): Promise<Finding> {
  const reasons: string[] = []
  const collectReason: Log['error'] = (_message, { role, reason } = {}) => {
    if (reason !== undefined) reasons.push(`${role}: ${reason}`)
  }
  const log: Log = { ...SILENT_LOG, error: collectReason }
  const models = openModels(config, { log, metrics: createMetrics() })
  try {
    await models.start()
    return ok(
      models
        .status()
        .map((model) => `${model.role} on ${model.device}`)
        .join(', '),
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    return failed(
      reasons.join('; ') || reason,
      `Fix the failures reported above first. ${describeFix(config)}`,
    )
  } finally {
    await models.close()
  }
}
