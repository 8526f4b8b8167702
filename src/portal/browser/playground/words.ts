/** A value of the interface for people: `open_question` is “open question”. */
export function words(value: string): string {
  return value.replaceAll('_', ' ')
}
