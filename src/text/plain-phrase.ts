const PLAIN_PHRASE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/-]+$/u

/** Whether a text consists of words only and has between 2 and `maxCharacters` code points. */
export function isPlainPhrase(text: string, maxCharacters: number): boolean {
  return PLAIN_PHRASE.test(text) && [...text].length <= maxCharacters
}
