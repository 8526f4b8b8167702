/** A share in [0, 1] for people, such as `75 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
