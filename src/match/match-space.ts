import type { InferenceCall } from '../inference/call.js'
import type { TextSimilarity } from '../text/text-similarity.js'
import { isSpaceOf } from '../text/text-space.js'
import { cosine as dot, oncePerVector, unitNorm } from '../text/vectors.js'
import learnt from './match-space.json' with { type: 'json' }
import type { Calibration } from './calibration.js'

/**
 * In which respects two people of a good match are alike. Texts that are near in meaning may say little about a match:
 * here what tells good matches from others is stretched, and the rest shrunk.
 */
export interface MatchSpace {
  /**
   * Where a centred embedding lies, of unit norm: x + up (down x), a step of low rank away from where it was.
   * Source of the form: Hu et al., "LoRA", arXiv:2106.09685.
   * @param centered - [d] float32
   */
  place(centered: Float32Array): Float32Array
  /** The confidence by what is measured here. */
  calibration: Calibration
}

const { probe, down, up, fitted, typical, confidence } = learnt
const THOUSANDTH = 1e-3

/**
 * The space that `models/clip-lite/recipe/fit_match_space.py` learnt. Undefined for packs whose text space is not the one it
 * starts from.
 */
export async function loadMatchSpace(
  similarity: Pick<TextSimilarity, 'embed'>,
  call: InferenceCall,
): Promise<MatchSpace | undefined> {
  if (!(await isSpaceOf(probe, similarity, call))) return undefined
  const [rowsDown, rowsUp] = [down, up].map((rows) => rows.map((row) => Float32Array.from(row)))
  return {
    place: oncePerVector((centered) => move(centered, { down: rowsDown!, up: rowsUp! })),
    calibration: { fitted, typical, confidence },
  }
}

/** @param rows - `down` and `up`, [rank, d] each, in thousandths */
export function move(
  centered: Float32Array,
  { down, up }: { down: readonly Float32Array[]; up: readonly Float32Array[] },
): Float32Array {
  const moved = Float32Array.from(centered)
  down.forEach((row, rank) => {
    const step = THOUSANDTH ** 2 * dot(row, centered)
    const direction = up[rank]!
    for (let i = 0; i < moved.length; i++) moved[i]! += step * direction[i]!
  })
  return unitNorm(moved)
}
