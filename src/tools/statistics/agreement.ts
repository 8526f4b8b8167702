type Numbers = readonly number[]

/** Arithmetic mean; NaN of nothing. */
export function mean(values: Numbers): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Spearman rank correlation in [-1, 1], ties at their mean rank; NaN if either side is constant. */
export function spearman(left: Numbers, right: Numbers): number {
  return pearson(ranks(left), ranks(right))
}

/**
 * Area under the ROC curve: the probability that a positive scores above a negative, ties half. NaN if either class is
 * missing.
 * Source: Mann and Whitney, 1947.
 */
export function auc(scores: Numbers, isPositive: readonly boolean[]): number {
  const positives = isPositive.filter(Boolean).length
  const negatives = scores.length - positives
  const rankSum = ranks(scores).reduce((sum, rank, i) => (isPositive[i] ? sum + rank + 1 : sum), 0)
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives)
}

/** Mean prediction and mean observation of the `n` values in one bin. */
export interface ReliabilityBin {
  predicted: number
  observed: number
  n: number
}

/**
 * Reliability diagram: bins of equal width over the predictions; empty bins are left out.
 * @param predicted - each in [0, 1]
 * @param observed - each in [0, 1], of the same length
 */
export function reliabilityBins(
  predicted: Numbers,
  observed: Numbers,
  count = 10,
): ReliabilityBin[] {
  const bins = Array.from({ length: count }, () => ({ predicted: 0, observed: 0, n: 0 }))
  predicted.forEach((value, i) => {
    const bin = bins[Math.min(count - 1, Math.floor(value * count))]!
    bin.predicted += value
    bin.observed += observed[i]!
    bin.n++
  })
  return bins
    .filter(({ n }) => n > 0)
    .map((sum) => ({ predicted: sum.predicted / sum.n, observed: sum.observed / sum.n, n: sum.n }))
}

/**
 * Expected calibration error: the distance between mean prediction and mean observation over the bins, weighted by size.
 * Source: Guo et al., arXiv:1706.04599, equation 3.
 */
export function calibrationError(predicted: Numbers, observed: Numbers): number {
  return reliabilityBins(predicted, observed).reduce(
    (sum, bin) => sum + (bin.n / predicted.length) * Math.abs(bin.predicted - bin.observed),
    0,
  )
}

/** Ranks from 0, smallest first; equal values share their mean rank. */
function ranks(values: Numbers): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!)
  const result = values.map(() => 0)
  for (let start = 0; start < order.length;) {
    let end = start
    while (end + 1 < order.length && values[order[end + 1]!] === values[order[start]!]) end++
    for (let i = start; i <= end; i++) result[order[i]!] = (start + end) / 2
    start = end + 1
  }
  return result
}

function pearson(left: Numbers, right: Numbers): number {
  const [meanLeft, meanRight] = [mean(left), mean(right)]
  const covariance = left.reduce(
    (sum, value, i) => sum + (value - meanLeft) * (right[i]! - meanRight),
    0,
  )
  return covariance / (deviation(left, meanLeft) * deviation(right, meanRight))
}

/** Euclidean distance of all values from the center. */
function deviation(values: Numbers, center: number): number {
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0))
}
