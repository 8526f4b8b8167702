/** The text on one line: control characters and line breaks become single spaces, ends are trimmed. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}
