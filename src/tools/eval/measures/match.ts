import { CATEGORIES } from '../../../match/categories.js'
import {
  auc,
  calibrationError,
  mean,
  reliabilityBins,
  spearman,
} from '../../statistics/agreement.js'
import { median } from '../../statistics/quantile.js'
import { ablateProfileParts } from '../ablate-profile-parts.js'
import type { EvaluatedPair, MatchReply } from '../evaluate-pairs.js'
import { computeMetric, computeShare, type Metric } from '../metrics.js'
import type { Pair } from '../read-profiles.js'
import type { Plot } from '../report/plots.js'
import type { Measure } from './measure.js'

/** From here on, a match is of high quality. */
const HIGH_QUALITY = 0.7

/** An answer beside the label of its pair. */
interface LabelledAnswer {
  predicted: number
  labelled: number
  category: string
  labelledCategory: string
}

/** How well confidence and category agree with the labels. */
export const match: Measure = {
  name: 'match',
  title: 'Match',
  about:
    'Confidence and category compared with the labels. "Preferences given": the call has the labelled interests and lifestyle; "preferences inferred": it has only bio and photos.',
  async run({ service, pairs, evaluatedPairs, seed }) {
    const evaluated = await evaluatedPairs()
    const given = evaluated.flatMap(({ pair, given }) => labelAnswer(pair, given))
    const inferred = evaluated.flatMap(({ pair, inferred }) => labelAnswer(pair, inferred))
    const ablation = await ablateProfileParts(service.context.pairScorer, pairs)
    return {
      metrics: [
        ...measureAgreement('given', 'preferences given', given, seed),
        ...measureAgreement('inferred', 'preferences inferred', inferred, seed),
        ...measureCalls(evaluated, seed),
      ],
      plots: [
        ...plotConfidence(given),
        plotConfusion(given),
        {
          kind: 'bars',
          title: 'Ablation: Spearman correlation lost without each part of the profiles',
          bars: ablation,
        },
      ],
    }
  },
}

/** Empty for a refused call. */
function labelAnswer(
  { match: { confidence, category } }: Pair,
  { answer }: MatchReply,
): LabelledAnswer[] {
  if (!answer) return []
  return [
    {
      predicted: answer.confidence,
      labelled: confidence,
      category: answer.reason_category,
      labelledCategory: category,
    },
  ]
}

/** @param setting - `given` or `inferred` preferences, as the last part of each metric's name */
function measureAgreement(
  setting: string,
  title: string,
  answers: readonly LabelledAnswer[],
  seed: number,
): Metric[] {
  const sample = { rows: answers, seed }
  const predicted = (rows: readonly LabelledAnswer[]) => rows.map((row) => row.predicted)
  const labelled = (rows: readonly LabelledAnswer[]) => rows.map((row) => row.labelled)
  const isHigh = (value: number) => value >= HIGH_QUALITY
  return [
    computeMetric(`spearman_${setting}`, `Spearman correlation, ${title}`, {
      ...sample,
      statistic: (rows) => spearman(predicted(rows), labelled(rows)),
      target: { min: 0.7 },
    }),
    computeMetric(`auc_${setting}`, `AUC of "labelled 0.7 or more", ${title}`, {
      ...sample,
      statistic: (rows) => auc(predicted(rows), labelled(rows).map(isHigh)),
      target: { min: 0.84 },
    }),
    computeMetric(
      `ece_${setting}`,
      `calibration error (ten bins, against the mean label), ${title}`,
      {
        ...sample,
        statistic: (rows) => calibrationError(predicted(rows), labelled(rows)),
        target: { max: 0.08 },
      },
    ),
    computeShare(`same_side_${setting}`, `same side of 0.7 as the label, ${title}`, {
      ...sample,
      holds: (row) => isHigh(row.predicted) === isHigh(row.labelled),
    }),
    computeShare(`category_${setting}`, `category as labelled, ${title}`, {
      ...sample,
      holds: hasLabelledCategory,
    }),
    computeMetric(`category_over_chance_${setting}`, `category accuracy ÷ chance, ${title}`, {
      ...sample,
      statistic: (rows) =>
        mean(rows.map((row) => Number(hasLabelledCategory(row)))) / chanceAccuracy(rows),
      target: { min: 2 },
    }),
  ]
}

function hasLabelledCategory({ category, labelledCategory }: LabelledAnswer): boolean {
  return category === labelledCategory
}

/** Accuracy of always answering the most frequent labelled category. */
function chanceAccuracy(rows: readonly LabelledAnswer[]): number {
  const counts = new Map<string, number>()
  for (const { labelledCategory } of rows) {
    counts.set(labelledCategory, (counts.get(labelledCategory) ?? 0) + 1)
  }
  return Math.max(...counts.values()) / rows.length
}

function measureCalls(evaluated: readonly EvaluatedPair[], seed: number): Metric[] {
  return [
    computeShare('symmetric', '(a, b) and (b, a) get the same confidence and category', {
      rows: evaluated.filter(({ given, swapped }) => given.answer && swapped.answer),
      holds: ({ given, swapped }) =>
        given.answer?.confidence === swapped.answer?.confidence &&
        given.answer?.reason_category === swapped.answer?.reason_category,
      seed,
      target: { min: 1 },
    }),
    computeShare('answered', 'answered, of all calls', {
      rows: evaluated.flatMap(({ pair, given, swapped, inferred }) =>
        [given, swapped, inferred].map(({ status }) => ({ pair, status })),
      ),
      holds: ({ status }) => status === 200,
      groupOf: ({ pair }) => pair,
      seed,
    }),
    ...(['given', 'inferred'] as const).map((setting) =>
      computeMetric(`milliseconds_${setting}`, `median time, preferences ${setting}`, {
        rows: evaluated.map((replies) => replies[setting].milliseconds),
        statistic: median,
        unit: 'milliseconds',
        seed,
      }),
    ),
  ]
}

function plotConfidence(answers: readonly LabelledAnswer[]): Plot[] {
  return [
    {
      kind: 'reliability',
      title: 'Mean labelled confidence by predicted confidence (preferences given)',
      points: reliabilityBins(
        answers.map(({ predicted }) => predicted),
        answers.map(({ labelled }) => labelled),
      ),
    },
    {
      kind: 'scatter',
      title: 'Predicted and labelled confidence (preferences given)',
      x: 'labelled',
      y: 'predicted',
      points: answers.map(({ labelled, predicted }) => ({ x: labelled, y: predicted })),
    },
  ]
}

function plotConfusion(answers: readonly LabelledAnswer[]): Plot {
  return {
    kind: 'matrix',
    title: 'Categories (preferences given)',
    x: 'answered',
    y: 'labelled',
    names: CATEGORIES,
    values: CATEGORIES.map((labelled) =>
      CATEGORIES.map(
        (answered) =>
          answers.filter((row) => row.labelledCategory === labelled && row.category === answered)
            .length,
      ),
    ),
  }
}
