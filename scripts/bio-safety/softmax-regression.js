import { seededRandom } from '../statistics/random.js'

/**
 * A bio with what it is learnt from.
 * @typedef {object} LabelledBio
 * @property {string} name - of its class
 * @property {number} label - index of its class; 0 is harmless
 * @property {boolean} isJudge - whether cross-validation judges by it
 * @property {boolean} isRefusedByRules
 * @property {Float32Array[]} parts - embeddings of unit norm, the first of the whole bio
 */
/** @typedef {{ bias: number, weights: Float32Array }[]} Layers */

const EPOCHS = 30
const BATCH = 64
const LEARNING_RATE = 0.2
const DECAY = 0.97
/** L2 penalty on the weights, for each row. */
const RIDGE = 3e-5

/**
 * Softmax regression by AdaGrad. Of an unsafe bio the whole counts, since not every
 * sentence of it is unsafe; of a harmless one the sentences too.
 * @param {readonly LabelledBio[]} bios
 * @param {{ classes: number }} options
 * @returns {Layers}
 */
export function fitSoftmax(bios, { classes }) {
  const rows = bios.flatMap(({ label, parts }) =>
    (label === 0 ? parts : parts.slice(0, 1)).map((part) => ({ label, part })),
  )
  const size = rows[0].part.length
  const layers = Array.from({ length: classes }, () => ({
    bias: 0,
    weights: new Float32Array(size),
    squares: new Float32Array(size + 1).fill(1e-4),
  }))
  const random = seededRandom(1)
  let rate = LEARNING_RATE
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(rows, random)
    for (let start = 0; start < rows.length; start += BATCH) {
      step(layers, rows.slice(start, start + BATCH), rate)
    }
    rate *= DECAY
  }
  return layers.map(({ bias, weights }) => ({ bias, weights }))
}

/** Directions that many rows speak of are learnt slowly, rare ones fast. */
function step(
  /** @type {(Layers[number] & { squares: Float32Array })[]} */ layers,
  /** @type {{ label: number, part: Float32Array }[]} */ batch,
  /** @type {number} */ rate,
) {
  const gradients = layers.map(({ weights }) => new Float32Array(weights.length + 1))
  for (const { label, part } of batch) {
    probabilitiesOf(layers, part).forEach((probability, k) => {
      const error = (probability - Number(k === label)) / batch.length
      const gradient = gradients[k]
      for (let i = 0; i < part.length; i++) gradient[i] += error * part[i]
      gradient[part.length] += error
    })
  }
  layers.forEach((layer, k) => {
    const gradient = gradients[k]
    const { weights, squares } = layer
    for (let i = 0; i < weights.length; i++) {
      const slope = gradient[i] + RIDGE * weights[i]
      squares[i] += slope * slope
      weights[i] -= (rate * slope) / Math.sqrt(squares[i])
    }
    const slope = gradient[weights.length]
    squares[weights.length] += slope * slope
    layer.bias -= (rate * slope) / Math.sqrt(squares[weights.length])
  })
}

/** Log-odds of being unsafe, of the part that is most likely so. */
export function logOddsOf(/** @type {Layers} */ layers, /** @type {LabelledBio} */ { parts }) {
  return Math.max(
    ...parts.map((part) => {
      const [harmless] = probabilitiesOf(layers, part)
      return Math.log((1 - harmless + 1e-12) / (harmless + 1e-12))
    }),
  )
}

/**
 * Judges every bio that may be judged by a fit that has not seen it.
 * @param {readonly LabelledBio[]} bios
 * @param {{ folds: number, classes: number }} options
 */
export function crossValidate(bios, { folds, classes }) {
  return Array.from({ length: folds }).flatMap((_, fold) => {
    const isOwn = (/** @type {number} */ i) => bios[i].isJudge && i % folds === fold
    const layers = fitSoftmax(
      bios.filter((__, i) => !isOwn(i)),
      { classes },
    )
    return bios
      .filter((__, i) => isOwn(i))
      .map((bio) => ({ ...bio, logOdds: logOddsOf(layers, bio) }))
  })
}

function probabilitiesOf(/** @type {Layers} */ layers, /** @type {Float32Array} */ part) {
  const logits = layers.map(({ bias, weights }) => {
    let sum = bias
    for (let i = 0; i < part.length; i++) sum += weights[i] * part[i]
    return sum
  })
  const highest = Math.max(...logits)
  const exponentials = logits.map((logit) => Math.exp(logit - highest))
  const total = exponentials.reduce((sum, value) => sum + value, 0)
  return exponentials.map((value) => value / total)
}

function shuffle(/** @type {unknown[]} */ rows, /** @type {() => number} */ random) {
  for (let i = rows.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const kept = rows[i]
    rows[i] = rows[j]
    rows[j] = kept
  }
}
