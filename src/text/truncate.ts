/** Bounds of a text in a prompt. */
export interface TextBounds {
  /** Code points. */
  characters: number
  /** As `estimateTokens` counts them. */
  tokens: number
}

/**
 * Truncates a text to the bounds: after the last sentence if it ends in the second half, or else after the last word. Ordinary
 * text reaches the bound on characters first; the one on tokens is for text that tokenizers split into many, of which 800
 * characters would keep a small model busy for seconds.
 */
export function truncate(text: string, bounds: TextBounds): string {
  const end = findEnd(text, bounds)
  if (end === text.length) return text
  const head = text.slice(0, end)
  const sentenceEnd = Math.max(...['. ', '! ', '? '].map((mark) => head.lastIndexOf(mark)))
  if (sentenceEnd > head.length / 2) return head.slice(0, sentenceEnd + 1)
  const space = head.lastIndexOf(' ')
  return space > 0 ? head.slice(0, space) : head
}

/** Index of the first UTF-16 unit beyond the bounds. */
function findEnd(text: string, bounds: TextBounds): number {
  let characters = 0
  let tokens = 0
  let index = 0
  for (const character of text) {
    characters += 1
    tokens += estimateTokens(character)
    if (characters > bounds.characters || tokens > bounds.tokens) return index
    index += character.length
  }
  return text.length
}

/** How many tokens a character usually becomes in the vocabularies of small language models, which were made for English. */
function estimateTokens(character: string): number {
  if (/[a-z ]/i.test(character)) return 0.25
  return /[\p{ASCII}\p{L}]/u.test(character) ? 1 : 2
}
