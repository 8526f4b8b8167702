import type { VisionProperties } from './vision.js'
import type { VisionSettings } from './vision-settings.js'

/** Names and properties of the models, which the packs alone determine. */
export function describePacks({
  clip,
  photoSafety,
  bioSafety,
  match,
}: Pick<VisionSettings, 'clip' | 'photoSafety' | 'bioSafety' | 'match'>): {
  packs: string[]
  properties: VisionProperties
} {
  const packs = [clip, photoSafety, bioSafety, match]
  return {
    packs: packs.map(({ name }) => name),
    properties: {
      revision: packs.map(({ name, revision }) => `${name}@${revision}`).join('+'),
      logitScale: clip.clip.logitScale,
    },
  }
}
