import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { crossValidate, fitSoftmax } from './bio-safety/softmax-regression.js'
import { prepare, projectDir } from './prepare.js'

/**
 * Fits src/safety/bio-classifier.json: `node scripts/fit-bio-safety.js`. It learns from the bios of
 * test/safety/corpus/{training,validation}.jsonl and test/safety/bios.jsonl and from the profiles of
 * examples/evaluation/training.jsonl, all harmless, in the text space of the configured CLIP pack. Its operating point is the
 * one at which, in cross-validation, it refuses the given share of the harmless bios of the corpus. The held-out bios take
 * no part.
 */

/** Share of harmless bios, most of them written to look bad, that the classifier may refuse. */
const FALSE_ALARMS = 0.02
const FOLDS = 5
const PROBE = 'A probe of the text space, neither kind nor unkind.'
const TEXTS_PER_CALL = 64

prepare()
const { readConfig } = await import('../dist/config.js')
const { startUpCall } = await import('../dist/inference/call.js')
const { openModels } = await import('../dist/inference/open-models.js')
const { listBioParts } = await import('../dist/safety/bio-parts.js')
const { assessText, TEXT_RISKS } = await import('../dist/safety/text-safety.js')
const { createLog } = await import('../dist/telemetry/log.js')
const { createMetrics } = await import('../dist/telemetry/metrics.js')

const classes = ['harmless', ...TEXT_RISKS.filter((risk) => risk !== 'profanity')]
const data = createHash('sha256')
const readLines = (/** @type {string[]} */ ...file) => {
  const text = readFileSync(path.join(projectDir, ...file), 'utf8')
  data.update(text)
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
const corpus = [
  ...readLines('test', 'safety', 'corpus', 'training.jsonl'),
  ...readLines('test', 'safety', 'corpus', 'validation.jsonl'),
]
const ruled = readLines('test', 'safety', 'bios.jsonl')
const profiles = readLines('examples', 'evaluation', 'training.jsonl').flatMap((pair) => [
  { category: null, text: pair.sender.bio },
  { category: null, text: pair.recipient.bio },
])

const texts = [...corpus, ...ruled, ...profiles].map(({ category, text }, index) => ({
  name: category ?? 'harmless',
  label: classes.indexOf(category ?? 'harmless'),
  isRefusedByRules: !assessText(text).safe,
  /** Bios that the rules were made from do not tell what they are worth. */
  isJudge: index < corpus.length,
  parts: listBioParts(text),
}))
const embeddings = await embedAll([PROBE, ...texts.flatMap(({ parts }) => parts)])
const bios = texts.map((bio) => ({
  ...bio,
  parts: bio.parts.map((part) => /** @type {Float32Array} */ (embeddings.get(part))),
}))

const judged = crossValidate(bios, { folds: FOLDS, classes: classes.length })
const decent = judged.filter(({ name }) => name === 'harmless')
const threshold = quantile(
  decent.map(({ logOdds }) => logOdds),
  1 - FALSE_ALARMS,
)
const isRefused = (/** @type {(typeof judged)[number]} */ bio) =>
  bio.isRefusedByRules || bio.logOdds >= threshold
const shareRefused = (/** @type {string} */ name) => {
  const rows = judged.filter((bio) => bio.name === name)
  const by = (/** @type {(bio: (typeof judged)[number]) => boolean} */ holds) =>
    round(rows.filter(holds).length / rows.length, 3)
  return { bios: rows.length, rules: by((bio) => bio.isRefusedByRules), both: by(isRefused) }
}
const crossValidated = Object.fromEntries(classes.map((name) => [name, shareRefused(name)]))
console.table(crossValidated)

const layers = fitSoftmax(bios, { classes: classes.length })
const fitted = {
  date: new Date().toISOString().slice(0, 10),
  data: `sha256 ${data.digest('hex')}`,
  bios: bios.length,
  false_alarms: FALSE_ALARMS,
  refused_in_cross_validation: crossValidated,
}
writeFileSync(
  path.join(projectDir, 'src', 'safety', 'bio-classifier.json'),
  formatWeights({
    fitted,
    probe: { text: PROBE, embedding: roundAll(embeddings.get(PROBE), 4) },
    threshold: round(threshold, 3),
    classes: classes.map((name, i) => ({
      name,
      bias: round(layers[i].bias, 4),
      weights: roundAll(layers[i].weights, 3),
    })),
  }),
)

/** @returns {Promise<Map<string, Float32Array>>} */
async function embedAll(/** @type {string[]} */ all) {
  const distinct = [...new Set(all)]
  const config = readConfig()
  const models = openModels(config, { log: createLog(config.log), metrics: createMetrics() })
  await models.start()
  try {
    const found = new Map()
    for (let start = 0; start < distinct.length; start += TEXTS_PER_CALL) {
      const batch = distinct.slice(start, start + TEXTS_PER_CALL)
      const vectors = await models.vision.embedTexts(batch, startUpCall())
      batch.forEach((text, i) => found.set(text, vectors[i]))
    }
    return found
  } finally {
    await models.close()
  }
}

/** One class a line, so that a change of the file can be read. */
function formatWeights(/** @type {{ classes: object[] }} */ { classes: rows, ...head }) {
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`)
  const text = JSON.stringify({ ...head, classes: [] }, undefined, 2)
  return `${text.replace('"classes": []', `"classes": [\n${lines.join(',\n')}\n  ]`)}\n`
}

function quantile(/** @type {number[]} */ values, /** @type {number} */ share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share))]
}

function roundAll(/** @type {Iterable<number>} */ values, /** @type {number} */ decimals) {
  return Array.from(values, (value) => round(value, decimals))
}

function round(/** @type {number} */ value, /** @type {number} */ decimals) {
  return Math.round(value * 10 ** decimals) / 10 ** decimals
}
