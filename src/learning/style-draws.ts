import { createRandom } from '../openers/random.js'
import { STYLE_NAMES, type Style, type Tone } from '../openers/styles.js'
import type { Posterior } from './fit-posterior.js'
import { drawNormals } from './normal-draws.js'
import { TRAITS } from './learning-report.js'
import { parameterIndex, styleFeatures, valueAt, type SparseVector } from './opener-features.js'
import { projectPosterior, shapeDraw, type Gaussian } from './project-posterior.js'

const DRAWS = 2_000
let cachedNormals: Float64Array | undefined

/** The same for every posterior, so that equal evidence gives equal probabilities in every process. */
function normals(): Float64Array {
  return (cachedNormals ??= drawNormals(
    DRAWS * STYLE_NAMES.length,
    createRandom(['draws of styles']),
  ))
}

/** Log-odds of a reply to an opener of each style of one tone, with the traits that the style has on average. */
export interface StyleDraws {
  gaussian: Gaussian
  /** [DRAWS] of [STYLE_NAMES.length] */
  draws: readonly Float64Array[]
}

export function drawStyles(posterior: Posterior, tone: Tone): StyleDraws {
  const gaussian = projectPosterior(
    posterior,
    STYLE_NAMES.map((style) => averageFeatures(posterior, tone, style)),
  )
  const draws = Array.from({ length: DRAWS }, (_, i) =>
    shapeDraw(gaussian, normals(), i * STYLE_NAMES.length),
  )
  return { gaussian, draws }
}

/** The probability of each style to be the best of them, in their order. */
export function probabilitiesBest({ draws }: StyleDraws, styles: readonly Style[]): number[] {
  const indices = styles.map((style) => STYLE_NAMES.indexOf(style))
  const wins = styles.map(() => 0)
  for (const draw of draws) {
    let best = 0
    for (let i = 1; i < indices.length; i++) {
      if (draw[indices[i]!]! > draw[indices[best]!]!) best = i
    }
    wins[best]!++
  }
  return wins.map((count) => count / draws.length)
}

/** Traits depend on the style rather than on the tone, so all tones together show what a style has on average. */
function averageFeatures({ cells }: Posterior, tone: Tone, style: Style): SparseVector {
  const ofStyle = cells.filter((cell) => cell.style === style && cell.sent > 0)
  const sent = ofStyle.reduce((sum, cell) => sum + cell.sent, 0)
  const base = styleFeatures(tone, style)
  const averages = TRAITS.map((trait) => {
    const index = parameterIndex.trait(trait)
    return ofStyle.reduce(
      (sum, cell) => sum + (cell.sent / sent) * valueAt(cell.features, index),
      0,
    )
  })
  return {
    indices: [...base.indices, ...TRAITS.map(parameterIndex.trait)],
    values: [...base.values, ...averages],
  }
}
