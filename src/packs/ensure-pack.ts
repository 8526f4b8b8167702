import type { Config } from '../config/config.js'
import { checkPack, packState } from './check-pack.js'
import { openCheckedPack, type Pack } from './open-pack.js'
import { resolvePack } from './pack-folder.js'
import { pullPack } from './pull-pack.js'
import type { PullSettings } from './pull-settings.js'

export type ModelsConfig = Pick<Config, 'modelsDir' | 'modelsOffline' | 'hub'> & {
  secrets: Pick<Config['secrets'], 'hubToken'>
}

export type EnsureOptions = Pick<PullSettings, 'signal' | 'onProgress' | 'onNotice'>

/**
 * Opens a pack after pulling its missing or corrupt files. If there are none, the network is not used and MODELS_DIR may
 * be read-only.
 * @throws PackError as openPack; `pull_failed`, `storage`
 */
export async function ensurePack(
  config: ModelsConfig,
  name: string,
  options: EnsureOptions = {},
): Promise<Pack> {
  const pack = await resolvePack(config.modelsDir, name)
  const check = () =>
    checkPack(pack, 'if-changed', (file) => ({
      signal: options.signal,
      onBytes: (doneBytes) => {
        const { path, sizeBytes: totalBytes } = file
        options.onProgress?.({ pack: name, file: path, phase: 'verify', doneBytes, totalBytes })
      },
    }))
  const checks = await check()
  if (packState(checks) === 'ready') return await openCheckedPack(pack, checks)
  await pullPack(pack, { ...pullSettings(config), ...options })
  return await openCheckedPack(pack, await check())
}

/** Returns the pull settings from the configuration. */
export function pullSettings(config: ModelsConfig): Pick<PullSettings, 'hub' | 'offline'> {
  return {
    hub: { endpoint: config.hub.endpoint, token: config.secrets.hubToken },
    offline: config.modelsOffline,
  }
}
