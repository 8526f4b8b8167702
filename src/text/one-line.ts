/** The text on one line: control characters and line breaks become single spaces, ends are trimmed. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

/**
 * Truncates a text to at most `maxCharacters` code points: after the last sentence if it ends in the second half, or else
 * after the last word.
 */
export function truncate(text: string, maxCharacters: number): string {
  const characters = [...text]
  if (characters.length <= maxCharacters) return text
  const head = characters.slice(0, maxCharacters).join('')
  const sentenceEnd = Math.max(...['. ', '! ', '? '].map((mark) => head.lastIndexOf(mark)))
  if (sentenceEnd > head.length / 2) return head.slice(0, sentenceEnd + 1)
  const space = head.lastIndexOf(' ')
  return space > 0 ? head.slice(0, space) : head
}
