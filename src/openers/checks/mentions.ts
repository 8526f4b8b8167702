import { contentStems } from '../../text/words.js'

/** Whether a text has a content stem of one of the terms. */
export function mentions(text: string, terms: readonly string[]): boolean {
  const stems = contentStems(text)
  return terms.some((term) => [...contentStems(term)].some((stem) => stems.has(stem)))
}
