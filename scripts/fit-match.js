import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { prepare, projectDir } from './prepare.js'

/**
 * Fits src/match/calibration.json to labelled profile pairs: `node scripts/fit-match.js FILE.jsonl`, in the format of
 * examples/profiles.jsonl. The signals are computed by the service's own code with the configured CLIP pack; a fifth of
 * the pairs is held out to measure what the fit is worth.
 */

const STEPS = 4_000
const LEARNING_RATE = 0.3
const RIDGE = 1e-3
const HELD_OUT_EVERY = 5

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Usage: node scripts/fit-match.js FILE.jsonl')
  process.exit(2)
}
prepare()
const { readConfig } = await import('../dist/config.js')
const { openModels } = await import('../dist/inference/open-models.js')
const { startUpCall } = await import('../dist/inference/call.js')
const { createTextSimilarity, BACKGROUND_TEXTS } = await import('../dist/text/text-similarity.js')
const { loadTopics, TOPIC_CAPTIONS } = await import('../dist/match/topics.js')
const { describePeople } = await import('../dist/match/person.js')
const { measureMatch } = await import('../dist/match/score-match.js')
const { CATEGORIES } = await import('../dist/match/categories.js')
const { createLog } = await import('../dist/telemetry/log.js')
const { createMetrics } = await import('../dist/telemetry/metrics.js')

const text = readFileSync(file, 'utf8')
/** @type {any[]} */
const pairs = text
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const rows = await computeRows()
const held = rows.filter((_, i) => i % HELD_OUT_EVERY === 0)
const trained = rows.filter((_, i) => i % HELD_OUT_EVERY !== 0)
report('held out, fitted on the rest', fit(trained), held)
const final = fit(rows)
report('all, fitted on all', final, rows)
writeFileSync(
  path.join(projectDir, 'src', 'match', 'calibration.json'),
  `${JSON.stringify(
    {
      fitted: {
        date: new Date().toISOString().slice(0, 10),
        data: `sha256 ${createHash('sha256').update(text).digest('hex')}`,
        pairs: rows.length,
      },
      ...final,
    },
    undefined,
    2,
  )}\n`,
)

/** @typedef {{ features: number[], confidence: number, category: number }} Row */
/** @typedef {{ confidence: any, categories: any }} Fit */

/** @returns {Promise<Row[]>} features: one strength a category, then the bios */
async function computeRows() {
  const config = readConfig()
  const models = openModels(config, { log: createLog(config.log), metrics: createMetrics() })
  await models.start()
  try {
    const similarity = await createTextSimilarity(models.vision, BACKGROUND_TEXTS, startUpCall())
    const topics = await loadTopics(TOPIC_CAPTIONS, similarity, startUpCall())
    const result = []
    for (const pair of pairs) {
      const facts = (/** @type {any} */ person) => ({
        bio: person.bio,
        interests: person.interests,
        lifestyle: person.lifestyle,
        photoTags: person.photos,
        photos: [],
      })
      const [a, b] = await describePeople(
        [facts(pair.sender), facts(pair.recipient)],
        similarity,
        startUpCall(),
      )
      const { features } = measureMatch(a, b, { standardize: similarity.standardize, topics })
      result.push({
        features: [...CATEGORIES.map((category) => features.signals[category]), features.bios],
        confidence: pair.match.confidence,
        category: CATEGORIES.indexOf(pair.match.category),
      })
    }
    return result
  } finally {
    await models.close()
  }
}

/** @returns {Fit} */
function fit(/** @type {Row[]} */ data) {
  return { confidence: fitConfidence(data), categories: fitCategories(data) }
}

/** Logistic regression on the labelled confidence, by gradient descent on the cross-entropy. */
function fitConfidence(/** @type {Row[]} */ data) {
  const weights = [...CATEGORIES, 'bios'].map(() => 0)
  let bias = 0
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight) => RIDGE * weight)
    let biasGradient = 0
    for (const { features, confidence } of data) {
      const error = sigmoid(bias + dot(weights, features)) - confidence
      biasGradient += error / data.length
      features.forEach((value, i) => (gradient[i] += (error * value) / data.length))
    }
    bias -= LEARNING_RATE * biasGradient
    gradient.forEach((value, i) => (weights[i] -= LEARNING_RATE * value))
  }
  const named = CATEGORIES.map((category, i) => [category, round(weights[i])])
  return {
    bias: round(bias),
    weights: { ...Object.fromEntries(named), bios: round(weights.at(-1)) },
  }
}

/** Softmax regression in which each category sees its own signal only, so that it follows from that signal. */
function fitCategories(/** @type {Row[]} */ data) {
  const bias = CATEGORIES.map(() => 0)
  const weight = CATEGORIES.map(() => 1)
  for (let step = 0; step < STEPS; step++) {
    const gradient = { bias: bias.map(() => 0), weight: weight.map((value) => RIDGE * value) }
    for (const { features, category } of data) {
      const exponentials = bias.map((value, i) => Math.exp(value + weight[i] * (features[i] ?? 0)))
      const total = exponentials.reduce((sum, value) => sum + value, 0)
      exponentials.forEach((value, i) => {
        const error = (value / total - (i === category ? 1 : 0)) / data.length
        gradient.bias[i] += error
        gradient.weight[i] += error * (features[i] ?? 0)
      })
    }
    bias.forEach((_, i) => {
      bias[i] -= LEARNING_RATE * gradient.bias[i]
      // A stronger signal must never speak against its own category.
      weight[i] = Math.max(0.1, weight[i] - LEARNING_RATE * gradient.weight[i])
    })
  }
  return Object.fromEntries(
    CATEGORIES.map((category, i) => [category, { bias: round(bias[i]), weight: round(weight[i]) }]),
  )
}

/**
 * @param {string} title
 * @param {Fit} fitted
 * @param {Row[]} data
 */
function report(title, fitted, data) {
  const { bias, weights } = fitted.confidence
  const order = [...CATEGORIES, 'bios'].map((name) => weights[name])
  const predicted = data.map(({ features }) => sigmoid(bias + dot(order, features)))
  const labels = data.map(({ confidence }) => confidence)
  const hits = data.filter(({ features, category }) => {
    const scores = CATEGORIES.map(
      (name, i) =>
        fitted.categories[name].bias + fitted.categories[name].weight * (features[i] ?? 0),
    )
    return scores.indexOf(Math.max(...scores)) === category
  })
  console.log(`${title} (${data.length} pairs)`)
  console.log(`  Spearman with the labelled confidence  ${spearman(predicted, labels).toFixed(3)}`)
  console.log(
    `  AUC of "0.7 or more"                   ${auc(
      predicted,
      labels.map((label) => label >= 0.7),
    ).toFixed(3)}`,
  )
  console.log(`  category as labelled                   ${(hits.length / data.length).toFixed(3)}`)
}

function sigmoid(/** @type {number} */ value) {
  return 1 / (1 + Math.exp(-value))
}

function dot(/** @type {number[]} */ left, /** @type {number[]} */ right) {
  return left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0)
}

function round(/** @type {number} */ value) {
  return Math.round(value * 1_000) / 1_000
}

function spearman(/** @type {number[]} */ left, /** @type {number[]} */ right) {
  return pearson(ranks(left), ranks(right))
}

/** Ranks with ties at their mean. */
function ranks(/** @type {number[]} */ values) {
  const sorted = [...values].sort((a, b) => a - b)
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2)
}

function pearson(/** @type {number[]} */ left, /** @type {number[]} */ right) {
  const mean = (/** @type {number[]} */ values) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanLeft, meanRight] = [mean(left), mean(right)]
  const covariance = left.reduce(
    (sum, value, i) => sum + (value - meanLeft) * ((right[i] ?? 0) - meanRight),
    0,
  )
  const spread = (/** @type {number[]} */ values, /** @type {number} */ center) =>
    Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0))
  return covariance / (spread(left, meanLeft) * spread(right, meanRight))
}

function auc(/** @type {number[]} */ scores, /** @type {boolean[]} */ isPositive) {
  const positives = scores.filter((_, i) => isPositive[i])
  const negatives = scores.filter((_, i) => !isPositive[i])
  const wins = positives.reduce(
    (sum, positive) =>
      sum +
      negatives.reduce(
        (won, negative) => won + (positive > negative ? 1 : positive === negative ? 0.5 : 0),
        0,
      ),
    0,
  )
  return wins / (positives.length * negatives.length)
}
