export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}

export function logit(probability: number): number {
  return Math.log(probability / (1 - probability))
}

/** log(1 + eˣ), without overflow. */
export function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))
}
