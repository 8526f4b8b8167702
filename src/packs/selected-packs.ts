import type { Config } from '../config/config.js'
import type { PackRole } from './manifest.js'
import { PackError } from './pack-error.js'
import { listPacks, resolvePack } from './pack-folder.js'

/** A pack that the configuration selects, and the variable that selects it. */
export interface SelectedPack {
  name: string
  role: PackRole
  variable: 'CLIP_PACK' | 'LLM_PACK' | 'PHOTO_SAFETY_PACK' | 'BIO_SAFETY_PACK' | 'MATCH_PACK'
}

export function selectedPacks({ packs }: Pick<Config, 'packs'>): SelectedPack[] {
  return [
    { name: packs.clip, role: 'clip', variable: 'CLIP_PACK' },
    { name: packs.llm, role: 'llm', variable: 'LLM_PACK' },
    { name: packs.photoSafety, role: 'photo-safety', variable: 'PHOTO_SAFETY_PACK' },
    { name: packs.bioSafety, role: 'bio-safety', variable: 'BIO_SAFETY_PACK' },
    { name: packs.match, role: 'match', variable: 'MATCH_PACK' },
  ]
}

/**
 * Returns the distinct names of the packs to work on: all packs, the named ones, or else the selected ones.
 * @throws PackError `unknown_pack` if any of them does not exist
 */
export async function choosePackNames(
  config: Pick<Config, 'modelsDir' | 'packs'>,
  { names, all = false }: { names: readonly string[]; all?: boolean | undefined },
): Promise<string[]> {
  if (all) return (await listPacks(config.modelsDir)).map(({ name }) => name)
  const chosen = names.length > 0 ? names : selectedPacks(config).map(({ name }) => name)
  for (const name of chosen) {
    await resolvePack(config.modelsDir, name).catch((error: unknown) => {
      // Other problems of a pack are reported when it is pulled or verified.
      if (!(error instanceof PackError) || error.code === 'unknown_pack') throw error
    })
  }
  return [...new Set(chosen)]
}
