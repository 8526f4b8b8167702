const PLAIN_PHRASE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/-]+$/u

/** Whether a text is a phrase of words and nothing else, of at least two code points and at most so many. */
export function isPlainPhrase(text: string, maxCharacters: number): boolean {
  return PLAIN_PHRASE.test(text) && [...text].length <= maxCharacters
}
