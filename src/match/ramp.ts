/** How far a value is on its way from one bound to another, in [0, 1]; what lies beyond counts as the bound. */
export function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)))
}
