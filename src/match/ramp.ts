/** Position of a value between two bounds, in [0, 1], clamped. */
export function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)))
}
