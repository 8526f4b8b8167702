import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { prepare, projectDir } from './prepare.js'

/**
 * Fits the critic of a language pack to candidates that a person has judged: `node scripts/fit-openers.js PACK`.
 * Reads `recipe/opener-grades.jsonl` of the pack, one line for each profile (`facts`, `candidates`), and writes
 * `opener.critic.json` among its prompts. Prints what the critic is worth on profiles it was not fitted to.
 */

const STEPS = 3_000
const LEARNING_RATE = 0.2
/** Of the weights of features, and of those of single beginnings, of which there are few candidates each. */
const RIDGE = { features: 0.03, beginnings: 0.01 }
const BEGINNING_STEP = 5
const FOLDS = 6

const [pack = 'smollm2-135m-openers'] = process.argv.slice(2)
prepare()
const { describeCandidate } = await import('../dist/openers/critic.js')

const folder = path.join(projectDir, 'models', pack)
const text = readFileSync(path.join(folder, 'recipe', 'opener-grades.jsonl'), 'utf8')
const rows = text.trim().split('\n').flatMap(readRows)
report()
const fitted = fit(rows)
writeFileSync(
  path.join(folder, 'prompts', 'opener.critic.json'),
  `${JSON.stringify(
    {
      fitted: {
        date: new Date().toISOString().slice(0, 10),
        data: `sha256 ${createHash('sha256').update(text).digest('hex')}`,
        candidates: rows.length,
      },
      ...fitted,
    },
    undefined,
    2,
  )}\n`,
)

/** @typedef {{ profile: number, style: string, pattern: string, features: Record<string, number>, sensible: boolean }} Row */

/** @returns {Row[]} */
function readRows(/** @type {string} */ line, /** @type {number} */ profile) {
  const { facts, candidates } = JSON.parse(line)
  return candidates.map((/** @type {any} */ candidate) => {
    const { style, pattern, given, text, certainty, sensible } = candidate
    const beginning = { pattern, text: given, end: undefined }
    const features = describeCandidate({ text, beginning, certainty, facts })
    return { profile, style, pattern, features, sensible }
  })
}

/** Logistic regression by gradient descent on the cross-entropy, with a ridge. */
function fit(/** @type {Row[]} */ data) {
  const names = Object.keys(data[0]?.features ?? {})
  const scale = names.map((name) => spread(data.map(({ features }) => features[name] ?? 0)))
  const weights = names.map(() => 0)
  /** @type {Map<string, number>} */
  const beginnings = new Map(data.map(({ pattern }) => [pattern, 0]))
  let bias = 0
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight) => RIDGE.features * weight)
    const own = new Map([...beginnings].map(([key, weight]) => [key, RIDGE.beginnings * weight]))
    let biasGradient = 0
    for (const { features, pattern, sensible } of data) {
      const values = names.map((name, i) => (features[name] ?? 0) / (scale[i] ?? 1))
      const sum = values.reduce((total, value, i) => total + value * (weights[i] ?? 0), bias)
      const error = (sigmoid(sum + (beginnings.get(pattern) ?? 0)) - Number(sensible)) / data.length
      biasGradient += error
      values.forEach((value, i) => (gradient[i] = (gradient[i] ?? 0) + error * value))
      // A beginning is in few candidates, so its step is longer.
      own.set(pattern, (own.get(pattern) ?? 0) + error * BEGINNING_STEP)
    }
    bias -= LEARNING_RATE * biasGradient
    gradient.forEach((value, i) => (weights[i] = (weights[i] ?? 0) - LEARNING_RATE * value))
    for (const [key, value] of own) {
      beginnings.set(key, (beginnings.get(key) ?? 0) - LEARNING_RATE * value)
    }
  }
  return {
    bias: round(bias),
    weights: Object.fromEntries(
      names.map((name, i) => [name, round((weights[i] ?? 0) / (scale[i] ?? 1))]),
    ),
    beginnings: Object.fromEntries([...beginnings].map(([key, weight]) => [key, round(weight)])),
  }
}

function score(/** @type {ReturnType<typeof fit>} */ critic, /** @type {Row} */ row) {
  const sum = Object.entries(row.features).reduce(
    (total, [name, value]) => total + (critic.weights[name] ?? 0) * value,
    critic.bias,
  )
  return sigmoid(sum + (critic.beginnings[row.pattern] ?? 0))
}

/** Each profile is judged by a critic fitted to the other folds. */
function report() {
  const judged = Array.from({ length: FOLDS }, (_, fold) => {
    const critic = fit(rows.filter(({ profile }) => profile % FOLDS !== fold))
    return rows
      .filter(({ profile }) => profile % FOLDS === fold)
      .map((row) => ({ ...row, score: score(critic, row) }))
  }).flat()
  const share = (/** @type {Row[]} */ list) =>
    (list.filter(({ sensible }) => sensible).length / Math.max(1, list.length)).toFixed(3)
  console.log(`${rows.length} candidates, sensible: ${share(rows)}`)
  console.log(`AUC on profiles not fitted to: ${auc(judged).toFixed(3)}`)
  for (const limit of [0.5, 0.6, 0.7, 0.75, 0.8, 0.85]) {
    const above = judged.filter((row) => row.score >= limit)
    console.log(`score of ${limit} and more: ${above.length}, sensible: ${share(above)}`)
  }
  const groups = groupBy(judged)
  /** @type {Map<string, Row[]>} */
  const best = new Map()
  for (const group of groups.values()) {
    const [first] = group.toSorted((left, right) => right.score - left.score)
    if (!first) continue
    for (const key of [first.style, 'all']) best.set(key, [...(best.get(key) ?? []), first])
  }
  for (const [style, list] of best) console.log(`best of each profile, ${style}: ${share(list)}`)
}

function auc(/** @type {{ score: number, sensible: boolean }[]} */ list) {
  const good = list.filter(({ sensible }) => sensible)
  const bad = list.filter(({ sensible }) => !sensible)
  const wins = good.flatMap((left) =>
    bad.map((right) => (left.score > right.score ? 1 : left.score === right.score ? 0.5 : 0)),
  )
  return wins.reduce((/** @type {number} */ sum, win) => sum + win, 0) / wins.length
}

function spread(/** @type {number[]} */ values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return Math.sqrt(variance) || 1
}

function sigmoid(/** @type {number} */ value) {
  return 1 / (1 + Math.exp(-value))
}

function round(/** @type {number} */ value) {
  return Math.round(value * 1_000) / 1_000
}

/** By profile and style; `Map.groupBy` is not in Node 20. */
function groupBy(/** @type {(Row & { score: number })[]} */ list) {
  /** @type {Map<string, (Row & { score: number })[]>} */
  const groups = new Map()
  for (const row of list) {
    const key = `${row.profile} ${row.style}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return groups
}
