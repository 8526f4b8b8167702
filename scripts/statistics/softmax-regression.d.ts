export function fitSoftmax(
  rows: number[][],
  targets: number[][],
  ridge: number,
): { bias: number; weights: number[] }[]
