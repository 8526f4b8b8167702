export function fitRidge(
  rows: readonly Float32Array[],
  targets: readonly (readonly number[])[],
  ridge: number,
): { bias: number; weights: Float64Array }[]
