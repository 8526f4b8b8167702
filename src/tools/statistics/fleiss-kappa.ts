import { mean } from './agreement.js'

/**
 * Agreement among raters beyond chance on a yes-or-no question: 1 is full agreement, 0 is what chance gives. NaN with fewer
 * than two raters, or where all say the same of everything.
 *
 * Source: J. L. Fleiss, "Measuring nominal scale agreement among many raters", 1971.
 * @param ratings - for each subject, one answer a rater; of equal lengths
 */
export function fleissKappa(ratings: readonly (readonly boolean[])[]): number {
  const raters = ratings[0]?.length ?? 0
  if (raters < 2) return Number.NaN
  const yes = ratings.map((answers) => answers.filter(Boolean).length)
  const pairs = raters * (raters - 1)
  const observed = mean(
    yes.map((count) => (count * (count - 1) + (raters - count) * (raters - count - 1)) / pairs),
  )
  const portion = mean(yes.map((count) => count / raters))
  const expected = portion ** 2 + (1 - portion) ** 2
  return expected === 1 ? Number.NaN : (observed - expected) / (1 - expected)
}
