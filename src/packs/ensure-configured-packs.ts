import type { Config } from '../config/config.js'
import { ensurePack, type ModelsConfig } from './ensure-pack.js'
import { showPullProgress } from './pull-progress.js'
import { selectedPacks } from './selected-packs.js'

/** Pulls missing files of the packs selected by the configuration, with progress on stderr. */
export async function ensureConfiguredPacks(
  config: ModelsConfig & Pick<Config, 'packs'>,
): Promise<void> {
  await ensurePacks(
    config,
    selectedPacks(config).map(({ name }) => name),
  )
}

/** Pulls missing files of packs, one after the other, with progress on stderr. */
export async function ensurePacks(config: ModelsConfig, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { onProgress, onNotice, stop } = showPullProgress(process.stderr)
    try {
      await ensurePack(config, name, { onProgress, onNotice })
    } finally {
      stop()
    }
  }
}
