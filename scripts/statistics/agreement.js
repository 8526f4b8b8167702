/** Arithmetic mean; NaN of nothing. */
export function mean(/** @type {readonly number[]} */ values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Rank correlation in [-1, 1], ties at their mean rank; NaN where one side does not vary. */
export function spearman(
  /** @type {readonly number[]} */ left,
  /** @type {readonly number[]} */ right,
) {
  return pearson(ranks(left), ranks(right))
}

/**
 * Area under the ROC curve: how often a positive scores above a negative, ties half; NaN without both.
 * Source: Mann and Whitney, 1947.
 */
export function auc(
  /** @type {readonly number[]} */ scores,
  /** @type {readonly boolean[]} */ isPositive,
) {
  const rank = ranks(scores)
  const positives = isPositive.filter(Boolean).length
  const negatives = scores.length - positives
  const sum = rank.reduce((total, value, i) => (isPositive[i] ? total + value + 1 : total), 0)
  return (sum - (positives * (positives + 1)) / 2) / (positives * negatives)
}

/**
 * Predictions in bins of equal width with what was predicted and observed there on average; empty bins are left out.
 * @param {readonly number[]} predicted - each in [0, 1]
 * @param {readonly number[]} observed - each in [0, 1]
 */
export function reliabilityBins(predicted, observed, count = 10) {
  const bins = Array.from({ length: count }, () => ({ predicted: [], observed: [] }))
  predicted.forEach((value, i) => {
    const bin = bins[Math.min(count - 1, Math.floor(value * count))]
    bin?.predicted.push(value)
    bin?.observed.push(observed[i])
  })
  return bins
    .filter((bin) => bin.predicted.length > 0)
    .map((bin) => ({
      predicted: mean(bin.predicted),
      observed: mean(bin.observed),
      n: bin.predicted.length,
    }))
}

/**
 * Expected calibration error: distance of predicted and observed means over the bins, weighed by their size.
 * Source: Guo et al., arXiv:1706.04599, equation 3.
 */
export function calibrationError(
  /** @type {readonly number[]} */ predicted,
  /** @type {readonly number[]} */ observed,
) {
  return reliabilityBins(predicted, observed).reduce(
    (sum, bin) => sum + (bin.n / predicted.length) * Math.abs(bin.predicted - bin.observed),
    0,
  )
}

/** Places from 0, smallest first; equal values share the mean of their places. */
function ranks(/** @type {readonly number[]} */ values) {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b])
  const result = values.map(() => 0)
  for (let start = 0; start < order.length;) {
    let end = start
    while (end + 1 < order.length && values[order[end + 1]] === values[order[start]]) end++
    for (let i = start; i <= end; i++) result[order[i]] = (start + end) / 2
    start = end + 1
  }
  return result
}

function pearson(/** @type {number[]} */ left, /** @type {number[]} */ right) {
  const [meanLeft, meanRight] = [mean(left), mean(right)]
  const covariance = left.reduce(
    (sum, value, i) => sum + (value - meanLeft) * (right[i] - meanRight),
    0,
  )
  const spread = (/** @type {number[]} */ values, /** @type {number} */ center) =>
    Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0))
  return covariance / (spread(left, meanLeft) * spread(right, meanRight))
}
