export function bootstrapInterval<Row>(
  rows: readonly Row[],
  statistic: (rows: Row[]) => number,
  seed: number,
): { low: number; high: number } | undefined
