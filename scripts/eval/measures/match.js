import { CATEGORIES } from '../../../dist/match/categories.js'
import {
  auc,
  calibrationError,
  mean,
  reliabilityBins,
  spearman,
} from '../../../dist/tools/statistics/agreement.js'
import { median } from '../../../dist/tools/statistics/quantile.js'
import { ablate } from '../match-ablation.js'
import { matchAnswers } from '../match-answers.js'
import { metricOf, shareOf } from '../metrics.js'

const HIGH_QUALITY = 0.7

/** @typedef {{ predicted: number, labelled: number, isCategoryRight: boolean, category: string, labelledCategory: string }} Judged */

/** How well scores and categories of the service agree with the labels. */
export const match = {
  name: 'match',
  title: 'Match',
  about:
    'Scores and categories against the labels. "Preferences given" sends the labelled interests and lifestyle; "inferred" sends bio and photos only.',
  async run(/** @type {import('./all-measures.js').Task} */ task) {
    const rows = await matchAnswers(task)
    const { seed } = task
    const given = rows.flatMap(({ pair, given }) => judge(pair, given))
    const inferred = rows.flatMap(({ pair, inferred }) => judge(pair, inferred))
    const answered = rows.filter(
      ({ given, swapped }) => given.status === 200 && swapped.status === 200,
    )
    return {
      metrics: [
        ...agreement('given', 'preferences given', given, seed),
        ...agreement('inferred', 'preferences inferred', inferred, seed),
        shareOf('symmetric', '(a, b) and (b, a) get the same score and category', {
          rows: answered,
          holds: ({ given, swapped }) =>
            given.body.confidence === swapped.body.confidence &&
            given.body.reason_category === swapped.body.reason_category,
          seed,
          target: { min: 1 },
        }),
        shareOf('answered', 'answered, of all calls', {
          rows: rows.flatMap(({ pair, given, swapped, inferred }) =>
            [given, swapped, inferred].map(({ status }) => ({ pair, status })),
          ),
          holds: ({ status }) => status === 200,
          groupOf: ({ pair }) => pair,
          seed,
        }),
        metricOf('milliseconds_given', 'median time, preferences given', {
          rows: rows.map(({ given }) => given.milliseconds),
          statistic: median,
          unit: 'milliseconds',
          seed,
        }),
        metricOf('milliseconds_inferred', 'median time, preferences inferred', {
          rows: rows.map(({ inferred }) => inferred.milliseconds),
          statistic: median,
          unit: 'milliseconds',
          seed,
        }),
      ],
      plots: [
        {
          kind: 'reliability',
          title: 'Mean labelled confidence by predicted confidence (preferences given)',
          points: reliabilityBins(
            given.map(({ predicted }) => predicted),
            given.map(({ labelled }) => labelled),
          ),
        },
        {
          kind: 'scatter',
          title: 'Predicted against labelled confidence (preferences given)',
          x: 'labelled',
          y: 'predicted',
          points: given.map(({ labelled, predicted }) => ({ x: labelled, y: predicted })),
        },
        confusion(given),
        {
          kind: 'bars',
          title: 'Ablation: Spearman correlation lost without each group of features',
          bars: await ablate(task),
        },
      ],
    }
  },
}

/**
 * @param {import('../read-profiles.js').Pair} pair
 * @param {import('../match-answers.js').Answer} answer
 * @returns {Judged[]} none for a pair that was refused
 */
function judge(pair, { status, body }) {
  if (status !== 200) return []
  return [
    {
      predicted: body.confidence,
      labelled: pair.match.confidence,
      isCategoryRight: body.reason_category === pair.match.category,
      category: body.reason_category,
      labelledCategory: pair.match.category,
    },
  ]
}

/**
 * @param {string} name
 * @param {string} title
 * @param {Judged[]} rows
 * @param {number} seed
 */
function agreement(name, title, rows, seed) {
  const predicted = (/** @type {readonly Judged[]} */ some) => some.map((row) => row.predicted)
  const labelled = (/** @type {readonly Judged[]} */ some) => some.map((row) => row.labelled)
  const isHigh = (/** @type {number} */ value) => value >= HIGH_QUALITY
  return [
    metricOf(`spearman_${name}`, `Spearman correlation, ${title}`, {
      rows,
      statistic: (some) => spearman(predicted(some), labelled(some)),
      seed,
      target: { min: 0.7 },
    }),
    metricOf(`auc_${name}`, `AUC of "labelled 0.7 or more", ${title}`, {
      rows,
      statistic: (some) => auc(predicted(some), labelled(some).map(isHigh)),
      seed,
      target: { min: 0.84 },
    }),
    metricOf(`ece_${name}`, `calibration error (ten bins, against the mean label), ${title}`, {
      rows,
      statistic: (some) => calibrationError(predicted(some), labelled(some)),
      seed,
      target: { max: 0.08 },
    }),
    shareOf(`same_side_${name}`, `same side of 0.7 as the label, ${title}`, {
      rows,
      holds: (row) => isHigh(row.predicted) === isHigh(row.labelled),
      seed,
    }),
    shareOf(`category_${name}`, `category as labelled, ${title}`, {
      rows,
      holds: (row) => row.isCategoryRight,
      seed,
    }),
    metricOf(`category_over_chance_${name}`, `category accuracy ÷ chance, ${title}`, {
      rows,
      statistic: (some) => mean(some.map((row) => Number(row.isCategoryRight))) / chance(some),
      seed,
      target: { min: 2 },
    }),
  ]
}

/** What always saying the commonest labelled category would get right: the best that guessing can do. */
function chance(/** @type {readonly Judged[]} */ rows) {
  const counts = countBy(rows.map((row) => row.labelledCategory))
  return Math.max(...counts.values()) / rows.length
}

function confusion(/** @type {readonly Judged[]} */ rows) {
  const names = CATEGORIES
  return {
    kind: 'matrix',
    title: 'Categories (preferences given)',
    x: 'answered',
    y: 'labelled',
    names,
    values: names.map((labelled) =>
      names.map(
        (answered) =>
          rows.filter((row) => row.labelledCategory === labelled && row.category === answered)
            .length,
      ),
    ),
  }
}

function countBy(/** @type {readonly string[]} */ values) {
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
