export function spread(
  values: number[],
  digits?: number,
): { median: number; min: number; max: number }
export function summarizeTail(milliseconds: number[]): { p99Ms?: number; longestMs: number }
export function showTail(tail: { p99Ms?: number; longestMs: number }): number | string | undefined
