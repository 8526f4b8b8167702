/** A share in [0, 1] as a percentage, such as `75%`. */
export function formatPercent(share: number): string {
  return `${Math.round(share * 100)}%`
}
