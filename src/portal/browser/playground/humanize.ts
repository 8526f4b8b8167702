/** A value of the API in words: `open_question` becomes “open question”. */
export function humanize(value: string): string {
  return value.replaceAll('_', ' ')
}
