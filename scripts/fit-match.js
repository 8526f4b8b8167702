import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { prepare, projectDir } from './prepare.js'
import { auc, calibrationError, mean, spearman } from './statistics/agreement.js'
import { fitSoftmax } from './statistics/softmax-regression.js'

/**
 * Fits src/match/calibration.json to labelled profile pairs: `node scripts/fit-match.js FILE.jsonl`, such as
 * examples/evaluation/training.jsonl. The features are computed by the service's own code with the configured CLIP pack; a
 * fifth of the pairs is held out to measure what the fit is worth.
 */

const HELD_OUT_EVERY = 5
const CONFIDENCE_RIDGE = 0.008
const CATEGORY_RIDGE = 0.016

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Usage: node scripts/fit-match.js FILE.jsonl')
  process.exit(2)
}
const profiles = path.resolve(file)
prepare()
const { readProfiles } = await import('./eval/read-profiles.js')
const { computeMatchFeatures } = await import('./eval/match-features.js')
const { openConfiguredService } = await import('./eval/service-under-test.js')
const { CATEGORIES } = await import('../dist/match/categories.js')
const { TRAIT_PAIRS } = await import('../dist/match/traits.js')

const { pairs, sha256 } = readProfiles(profiles)
const rows = await computeRows()
const held = rows.filter((_, i) => i % HELD_OUT_EVERY === 0)
const trained = rows.filter((_, i) => i % HELD_OUT_EVERY !== 0)
report('held out, fitted on the rest', fit(trained), held)
const final = fit(rows)
report('all, fitted on all', final, rows)
const output = path.join(projectDir, 'src', 'match', 'calibration.json')
const fitted = {
  date: new Date().toISOString().slice(0, 10),
  data: `sha256 ${sha256}`,
  pairs: rows.length,
}
writeFileSync(output, `${JSON.stringify({ fitted, ...final }, undefined, 2)}\n`)

/** @typedef {{ features: Record<string, number | undefined>, confidence: number, category: number }} Row */
/** @typedef {{ bias: number, weights: Record<string, number> }} LinearModel */
/** @typedef {{ typical: Record<string, number>, confidence: LinearModel, categories: Record<string, LinearModel> }} Fit */

/** @returns {Promise<Row[]>} */
async function computeRows() {
  const service = await openConfiguredService()
  try {
    const features = await computeMatchFeatures(service.context, pairs)
    return pairs.map(({ match }, i) => ({
      features: features[i]?.features ?? {},
      confidence: match.confidence,
      category: CATEGORIES.indexOf(match.category),
    }))
  } finally {
    await service.close()
  }
}

/** @returns {Fit} */
function fit(/** @type {Row[]} */ data) {
  const names = Object.keys(data[0]?.features ?? {})
  const typical = Object.fromEntries(
    names.map((name) => {
      const known = data
        .map(({ features }) => features[name])
        .filter((value) => value !== undefined)
      return [name, round(mean(known))]
    }),
  )
  // Trait pairs tell categories apart; as reasons for a score they did not hold on pairs not trained on.
  const traits = new Set(TRAIT_PAIRS.map(({ label }) => label))
  const ofConfidence = names.filter((name) => !traits.has(name))
  const valuesOf = (/** @type {string[]} */ some) =>
    data.map(({ features }) => some.map((name) => features[name] ?? typical[name]))
  const [confidence] = fitSoftmax(
    valuesOf(ofConfidence),
    data.map((row) => [row.confidence, 1 - row.confidence]),
    CONFIDENCE_RIDGE,
  )
  const categories = fitSoftmax(
    valuesOf(names),
    data.map((row) => CATEGORIES.map((_, i) => Number(i === row.category))),
    CATEGORY_RIDGE,
  )
  return {
    typical,
    // Of two classes, the difference of the logits is twice that of either.
    confidence: named(ofConfidence, {
      bias: 2 * confidence.bias,
      weights: confidence.weights.map((weight) => 2 * weight),
    }),
    categories: Object.fromEntries(
      CATEGORIES.map((category, i) => [category, named(names, categories[i])]),
    ),
  }
}

/** @returns {LinearModel} */
function named(
  /** @type {string[]} */ names,
  /** @type {{ bias: number, weights: number[] }} */ { bias, weights },
) {
  return {
    bias: round(bias),
    weights: Object.fromEntries(names.map((name, i) => [name, round(weights[i])])),
  }
}

/**
 * @param {string} title
 * @param {Fit} fitted
 * @param {Row[]} data
 */
function report(title, { typical, confidence, categories }, data) {
  const logit = (/** @type {LinearModel} */ { bias, weights }, /** @type {Row} */ { features }) =>
    Object.entries(weights).reduce(
      (sum, [name, weight]) => sum + weight * (features[name] ?? typical[name]),
      bias,
    )
  const predicted = data.map((row) => 1 / (1 + Math.exp(-logit(confidence, row))))
  const labels = data.map((row) => row.confidence)
  const hits = data.filter((row) => {
    const scores = CATEGORIES.map((category) => logit(categories[category], row))
    return scores.indexOf(Math.max(...scores)) === row.category
  })
  const isHigh = labels.map((label) => label >= 0.7)
  console.log(`${title} (${data.length} pairs)`)
  console.log(`  Spearman with the labelled confidence  ${spearman(predicted, labels).toFixed(3)}`)
  console.log(`  AUC of "0.7 or more"                   ${auc(predicted, isHigh).toFixed(3)}`)
  console.log(
    `  calibration error                      ${calibrationError(predicted, labels).toFixed(3)}`,
  )
  console.log(`  category as labelled                   ${(hits.length / data.length).toFixed(3)}`)
}

function round(/** @type {number} */ value) {
  return Math.round(value * 1_000) / 1_000
}
