import { MAX_DIRECT_CHARACTERS } from '../../openers/checks/check-opener.js'
import { inventsName, inventsNumber } from '../../openers/checks/names-and-numbers.js'
import { MAX_CHARACTERS, MIN_CHARACTERS } from '../../openers/checks/opener-lengths.js'
import { hasUnsupportedClaim } from '../../openers/checks/unsupported-claims.js'
import { listUnsupportedStems } from '../../openers/checks/unsupported-stems.js'
import { beginningOf } from '../../openers/exemplars/exemplar-group.js'
import type { OpenerFacts } from '../../openers/opener-facts.js'
import type { OpenersExplanation } from '../../openers/openers-contract.js'
import { commentsOnLooks } from '../../safety/appearance.js'
import { assessText } from '../../safety/text-safety.js'
import { contentStems, listWords } from '../../text/words.js'
import { createNearCopyDetector } from './near-copies.js'

/** A candidate of an answer, or the candidate that became an opener. */
export type WrittenOpener = Pick<
  OpenersExplanation['candidates'][number],
  'style' | 'text' | 'beginning'
>

export interface EvaluatedOpener extends WrittenOpener {
  facts: OpenerFacts
  /** Texts of the other openers of the same answer. */
  otherTexts: string[]
}

/** Stems that may name something absent from the profile: one can be a figure of speech, more are invented. */
const MAX_UNSUPPORTED_STEMS = 1

/** Whether the text is what its style label promises. */
export function followsStyle({ text, style, facts }: EvaluatedOpener): boolean {
  const asks = text.includes('?')
  switch (style) {
    case 'open_question':
      return asks
    case 'photo_callback':
      return mentionsAny(text, facts.photoElements)
    case 'shared_interest':
      return mentionsAny(text, facts.commonGround)
    case 'confident_direct':
      return !asks && [...text].length <= MAX_DIRECT_CHARACTERS
    case 'playful_observation':
      return !asks
  }
}

function mentionsAny(text: string, entries: readonly string[]): boolean {
  const stems = contentStems(text)
  return [...contentStems(entries.join(' . '))].some((stem) => stems.has(stem))
}

/** Whether the text names a detail of the recipient's profile. */
export function isGrounded({ text, facts }: EvaluatedOpener): boolean {
  return [...contentStems(text)].some((stem) => facts.stems.has(stem))
}

/**
 * Whether the text names or claims something absent from the profile. Claims are looked for only in the words that the
 * model added, because beginnings are the same for every profile.
 */
export function inventsDetail({ text, beginning, facts }: EvaluatedOpener): boolean {
  const generated = text.startsWith(beginning) ? text.slice(beginning.length) : text
  return (
    inventsName(text, facts, beginning) ||
    inventsNumber(text, facts) ||
    hasUnsupportedClaim(generated, facts) ||
    listUnsupportedStems(text, facts, beginning).length > MAX_UNSUPPORTED_STEMS
  )
}

/** Whether the text is neither too short nor too long for a first message. */
export function hasSendableLength({ text }: EvaluatedOpener): boolean {
  const { length } = [...text]
  return length >= MIN_CHARACTERS && length <= MAX_CHARACTERS
}

/** Whether the text is safe and does not comment on looks. */
export function isSafe({ text }: Pick<EvaluatedOpener, 'text'>): boolean {
  return assessText(text, 'generated').safe && !commentsOnLooks(text)
}

/** Whether the text is nearly a copy of another opener of the same answer. */
export function repeatsOther({ text, otherTexts }: EvaluatedOpener): boolean {
  return createNearCopyDetector(otherTexts)(text)
}

/** For each opener, 1 if an opener for another pair starts with the same four words, else 0. */
export function flagSharedStarts(openers: readonly EvaluatedOpener[]): number[] {
  const starts = openers.map(({ text }) => beginningOf(text))
  return openers.map(({ facts }, i) =>
    Number(openers.some((other, k) => starts[k] === starts[i] && other.facts !== facts)),
  )
}

/**
 * Distinct pairs of successive words divided by all such pairs in the texts, in (0, 1].
 * Source: Li et al., arXiv:1510.03055 (distinct-2)
 */
export function distinctTwo(texts: readonly string[]): number {
  const pairs = texts.flatMap((text) => {
    const words = listWords(text)
    return words.slice(1).map((word, i) => `${words[i]} ${word}`)
  })
  return new Set(pairs).size / pairs.length
}
