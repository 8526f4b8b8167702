type Numbers = readonly number[]

export function mean(values: Numbers): number
export function spearman(left: Numbers, right: Numbers): number
export function auc(scores: Numbers, isPositive: readonly boolean[]): number
export function reliabilityBins(
  predicted: Numbers,
  observed: Numbers,
  count?: number,
): { predicted: number; observed: number; n: number }[]
export function calibrationError(predicted: Numbers, observed: Numbers): number
