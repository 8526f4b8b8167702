import type { Config } from '../config/config.js'
import type { PackRole } from './manifest.js'

/** A pack the configuration names, and the variable that names it. */
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
