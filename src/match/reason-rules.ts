import { commentsOnLooks } from '../safety/appearance.js'
import { assessText } from '../safety/text-safety.js'
import { listSentences } from '../text/words.js'

/** Whether a text is one sentence without numbers that is safe to show to both people. */
export function isSafeSentence(text: string): boolean {
  return (
    /^\p{Lu}.*\.$/u.test(text) &&
    listSentences(text).length === 1 &&
    !/\d/.test(text) &&
    assessText(text, 'generated').safe &&
    !commentsOnLooks(text)
  )
}

/** Capitalised words after the first that are no part of what the text may name. */
export function listOtherNames(text: string, named: readonly string[]): string[] {
  const known = named.join(' ').toLowerCase()
  const later = text.replace(/^\S+/, '')
  const capitalised = later.match(/(?<![\p{L}\p{M}])\p{Lu}\p{L}+/gu) ?? []
  return capitalised.filter((word) => !known.includes(word.toLowerCase()))
}
