import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { sigmoid } from '../../learning/logistic.js'
import {
  logOdds,
  USUAL_PRECISION,
  type OddsFeatures,
  type OddsModel,
  type ProfileFrequencies,
} from '../../openers/exemplars/exemplar-odds.js'
import type { ExemplarGroup } from '../../openers/exemplars/exemplar-schema.js'
import { readPlacedExemplars } from '../../openers/exemplars/read-exemplars.js'
import { hashFile } from '../../packs/file-hash.js'
import { roundTo } from '../../text/round-to.js'
import { seedOf } from '../../text/seed.js'
import { readProfiles } from '../eval/read-profiles.js'
import { EXEMPLARS_FOLDER, PROJECT_FOLDER } from '../project-folder.js'
import { auc, mean } from '../statistics/agreement.js'
import { fitLogistic } from '../statistics/logistic-regression.js'
import { indexPair, JUDGEMENTS, readJudged, type Judged } from './judged-exemplars.js'

/**
 * Fits how likely readers send an exemplar: `node scripts/tool.js training/fit-exemplar-odds`. Counts what labelled profiles have, writes
 * `profile-frequencies.json` and `exemplar-odds.json`, writes into the library what readers said of each line beyond that, and prints how
 * well a fit to the judgements of most profiles predicts those of the others.
 */

const EVALUATION = path.join(PROJECT_FOLDER, 'examples', 'evaluation')
const EXEMPLARS = path.join(PROJECT_FOLDER, 'src', 'openers', 'exemplars')
const COUNTED_PAIRS = ['training.jsonl', 'training-2.jsonl']
/** A word that a single profile has counts as unknown. */
const MIN_COUNT = 2
const RIDGE = 0.0015
const DECIMALS = 3
const FOLDS = 5
/**
 * Where lines were written for a person, or conditions narrowed by what a reader found wrong, a low precision does less harm than for
 * others: those judgements get other weights for it.
 */
const PRECISIONS = ['termPrecision', 'linePrecision'] as const
/** What a mean residual adds to the log-odds, of a line and of its group; this and the priors were chosen by the area under the ROC curve. */
const RATING_WEIGHT = 2
/** Judgements as expected that are added to those of a line and of a group. */
const PRIOR = { line: 2, group: 5 }
const RATING_DECIMALS = 1

interface Fit {
  model: OddsModel
  /** By how much a reader's log-odds are above those of the mean judgement. */
  leniency: ReadonlyMap<string, number>
  /** What is added to the weights of `PRECISIONS` for judgements that are not fresh. */
  unlessFresh: readonly number[]
}

const frequencies = countFrequencies()
writeJson('profile-frequencies.json', frequencies)
const library = readPlacedExemplars(EXEMPLARS_FOLDER)
const groups = library.map(({ value }) => value)
const judged = readJudged(EVALUATION, groups, frequencies)
printAccuracy()
const final = fit(judged)
const fitted = {
  date: new Date().toISOString().slice(0, 10),
  data: `sha256 ${await hashFile(path.join(EVALUATION, JUDGEMENTS))}`,
  exemplars: judged.length,
}
writeJson('exemplar-odds.json', { fitted, ...final.model })
writeRatings(rate(judged, final))

function countFrequencies(): ProfileFrequencies {
  const counts = {
    words: new Map<string, number>(),
    interests: new Map<string, number>(),
  }
  const pairs = COUNTED_PAIRS.flatMap((file) => readProfiles(path.join(EVALUATION, file)).pairs)
  for (const pair of pairs) {
    const profile = indexPair(pair)
    count(counts.words, profile.bio.stems)
    count(counts.interests, profile.likes)
  }
  return {
    profiles: pairs.length,
    words: toRecord(counts.words),
    interests: toRecord(counts.interests),
  }
}

function count(counts: Map<string, number>, names: Iterable<string>): void {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
}

function toRecord(counts: ReadonlyMap<string, number>): Record<string, number> {
  const common = [...counts].filter(([, number]) => number >= MIN_COUNT)
  return Object.fromEntries(common.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function fit(rows: readonly Judged[]): Fit {
  const names = Object.keys(rows[0]!.features) as (keyof OddsFeatures)[]
  const readers = [...new Set(rows.map(({ reader }) => reader))]
  const inputs = rows.map((row) => [
    ...names.map((name) => row.features[name]),
    ...readers.map((other) => Number(other === row.reader)),
    ...listUnlessFresh(row),
  ])
  const { bias, weights: fitted } = fitLogistic(
    inputs,
    rows.map(({ sent }) => sent),
    RIDGE,
  )
  const ofReaders = new Map(readers.map((reader, i) => [reader, fitted[names.length + i]!]))
  const usual = mean(rows.map(({ reader }) => ofReaders.get(reader)!))
  const weights = names.map((name, i) => [name, roundTo(fitted[i]!, DECIMALS)])
  return {
    model: {
      bias: roundTo(bias + usual, DECIMALS),
      weights: Object.fromEntries(weights) as OddsFeatures,
    },
    leniency: new Map([...ofReaders].map(([reader, own]) => [reader, own - usual])),
    unlessFresh: fitted.slice(-PRECISIONS.length),
  }
}

/** The precisions above the usual ones, or nothing if the judgement is fresh. */
function listUnlessFresh({ features, fresh }: Judged): number[] {
  return PRECISIONS.map((name) => (fresh ? 0 : features[name] - USUAL_PRECISION[name]))
}

/** @returns for each group and text, what to add to their log-odds */
function rate(rows: readonly Judged[], fit: Fit): Map<ExemplarGroup | string, number> {
  const residuals = new Map<ExemplarGroup | string, { sum: number; count: number }>()
  for (const row of rows) {
    const residual = row.sent - expect(row, fit)
    for (const key of [row.group, row.text]) {
      const { sum, count } = residuals.get(key) ?? { sum: 0, count: 0 }
      residuals.set(key, { sum: sum + residual, count: count + 1 })
    }
  }
  return new Map(
    [...residuals].map(([key, { sum, count }]) => {
      const prior = typeof key === 'string' ? PRIOR.line : PRIOR.group
      return [key, (RATING_WEIGHT * sum) / (count + prior)]
    }),
  )
}

/** How likely this reader sends it, without a rating. */
function expect(row: Judged, { model, leniency, unlessFresh }: Fit): number {
  const added = listUnlessFresh(row).reduce((sum, value, i) => sum + value * unlessFresh[i]!, 0)
  return sigmoid(logOdds(model, row.features) + added + (leniency.get(row.reader) ?? 0))
}

function ratingOf(
  ratings: ReadonlyMap<ExemplarGroup | string, number>,
  group: ExemplarGroup,
  text: string,
): number {
  return (ratings.get(group) ?? 0) + (ratings.get(text) ?? 0)
}

function writeRatings(ratings: ReadonlyMap<ExemplarGroup | string, number>): void {
  const linesOf = new Map<string, string[]>()
  for (const { file, value: group } of library) {
    const openers = group.openers.map(({ rating: _earlier, ...opener }) => {
      const rating = roundTo(ratingOf(ratings, group, opener.text), RATING_DECIMALS)
      return rating === 0 ? opener : { ...opener, rating }
    })
    const lines = linesOf.get(file) ?? []
    linesOf.set(file, lines)
    lines.push(JSON.stringify({ ...group, openers }))
  }
  for (const [file, lines] of linesOf) {
    writeFileSync(path.join(EXEMPLARS_FOLDER, file), `${lines.join('\n')}\n`)
  }
}

function isSent({ sent }: Judged): boolean {
  return sent >= 0.5
}

/** Compares judgements of the same reader only. */
function printAccuracy(): void {
  const foldOf = ({ profile }: Judged) => seedOf([profile]) % FOLDS
  const predicted = Array.from({ length: FOLDS }, (_, fold) => {
    const rest = judged.filter((row) => foldOf(row) !== fold)
    const fitted = fit(rest)
    const ratings = rate(rest, fitted)
    return judged
      .filter((row) => foldOf(row) === fold)
      .map((row) => {
        const odds = logOdds(fitted.model, row.features)
        return { ...row, odds, rated: odds + ratingOf(ratings, row.group, row.text) }
      })
  }).flat()
  const ofReaders = [...new Set(predicted.map(({ reader }) => reader))]
    .map((reader) => predicted.filter((row) => row.reader === reader))
    // Whoever said the same of all compares nothing.
    .filter((rows) => new Set(rows.map(isSent)).size === 2)
  const areaOf = (scoreOf: (row: (typeof predicted)[number]) => number) => {
    const areas = ofReaders.map((rows) => rows.length * auc(rows.map(scoreOf), rows.map(isSent)))
    const compared = ofReaders.reduce((sum, rows) => sum + rows.length, 0)
    return (areas.reduce((sum, area) => sum + area, 0) / compared).toFixed(3)
  }
  console.log(
    `${judged.length} exemplars judged; area under the ROC curve for unseen profiles: by the odds ${areaOf(({ odds }) => odds)}, with ratings ${areaOf(({ rated }) => rated)}`,
  )
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(path.join(EXEMPLARS, file), `${JSON.stringify(value, undefined, 2)}\n`)
}
