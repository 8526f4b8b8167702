import { pullSettings, type ModelsConfig } from './ensure-pack.js'
import type { PackManifest } from './manifest.js'
import { PackError } from './pack-error.js'
import { resolvePack } from './pack-folder.js'
import type { PulledFile } from './pull-file.js'
import { pullPack } from './pull-pack.js'
import type { PullSettings } from './pull-settings.js'
import { describeSource } from './sources/fetch-file.js'

export interface PullReport {
  name: string
  state: 'ready' | 'failed'
  licence?: PackManifest['licence']
  /** `source` is `present` for a file that was not fetched. */
  files?: { path: string; source: string; pinned: boolean }[]
  problem?: string
}

/**
 * Pulls the pack of that name. A failure is reported, not thrown, so that the caller can go on with the next pack.
 * @throws the abort reason
 */
export async function pullNamedPack(
  config: ModelsConfig,
  name: string,
  options: Pick<PullSettings, 'signal' | 'onProgress' | 'onNotice'>,
): Promise<PullReport> {
  try {
    const pack = await resolvePack(config.modelsDir, name)
    const pulled = await pullPack(pack, { ...pullSettings(config), ...options })
    return { name, state: 'ready', licence: pack.manifest.licence, files: pulled.map(describeFile) }
  } catch (error) {
    if (!(error instanceof PackError)) throw error
    return { name, state: 'failed', problem: error.message }
  }
}

function describeFile({ file, source, pinned }: PulledFile) {
  return { path: file.path, source: source ? describeSource(source) : 'present', pinned }
}
