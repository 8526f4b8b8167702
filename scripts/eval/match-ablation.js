import { PLAIN, weighFeatures } from '../../dist/match/calibration.js'
import { spearman } from '../statistics/agreement.js'
import { computeMatchFeatures } from './match-features.js'

/** Features that say the same kind of thing; the rest are goals. */
const GROUPS = ['interests', 'lifestyle', 'photo tags', 'bios']

/**
 * What each group of features carries: how much the rank correlation with the labels falls when the group tells
 * nothing, as for profiles without it.
 * @param {import('./measures/all-measures.js').Task} task
 */
export async function ablate({ service: { context }, pairs }) {
  const { calibration = PLAIN } = (await context.matchSpace()) ?? {}
  const rows = await computeMatchFeatures(context, pairs)
  const labels = pairs.map(({ match }) => match.confidence)
  const correlation = (/** @type {(name: string) => boolean} */ isKept) =>
    spearman(
      rows.map(({ weighed }) => weighFeatures(keep(weighed, isKept), calibration).confidence),
      labels,
    )
  const whole = correlation(() => true)
  const used = new Set(Object.keys(calibration.confidence.weights).map(groupOf))
  return [...used].map((group) => ({
    name: group,
    value: whole - correlation((name) => groupOf(name) !== group),
  }))
}

function groupOf(/** @type {string} */ name) {
  return GROUPS.find((group) => name.startsWith(`${group},`)) ?? 'goals'
}

/**
 * @param {import('../../dist/match/features.js').MatchFeatures} features
 * @param {(name: string) => boolean} isKept
 */
function keep(features, isKept) {
  return Object.fromEntries(Object.entries(features).filter(([name]) => isKept(name)))
}
