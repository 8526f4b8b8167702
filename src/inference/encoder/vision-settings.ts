import type { BioSafetyPack, ClipPack, MatchPack, PhotoSafetyPack } from '../../packs/open-pack.js'

/** Models and settings of the vision worker. Paths are absolute; it reads no other files. */
export interface VisionSettings {
  clip: ClipPack
  photoSafety: PhotoSafetyPack
  bioSafety: BioSafetyPack
  match: MatchPack
  /** Threads of a model run, and photos decoded at the same time; at most the usable cores. */
  threads: number
  /** `auto` uses a CUDA GPU if there is one; `gpu` fails to load without one. */
  device: 'auto' | 'cpu' | 'gpu'
  /** Runs the models at engines, which the server asks, and none here. Default: here. */
  engines?: { concurrency: number } | undefined
}
