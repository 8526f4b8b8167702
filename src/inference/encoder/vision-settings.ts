import type { BioSafetyPack, ClipPack, MatchPack, PhotoSafetyPack } from '../../packs/open-pack.js'

/** What the vision worker is told to load. Paths in the packs are absolute; it reads nothing else. */
export interface VisionSettings {
  clip: ClipPack
  photoSafety: PhotoSafetyPack
  bioSafety: BioSafetyPack
  match: MatchPack
  /** Threads of a model run, and photos decoded at the same time: at most the cores this process may use. */
  threads: number
  /** `auto` uses a CUDA GPU when there is one, `gpu` fails to load without one. */
  device: 'auto' | 'cpu' | 'gpu'
}
