import { contentStems, listSentences, listWords } from '../text/words.js'
import { kindsOfThing } from './kinds-of-things.js'
import type { OpenerFacts } from './opener-facts.js'
import { isPrivate } from './private-topics.js'
import type { Style } from './styles.js'

/** Shorter sentences say nothing, longer ones say too much for one message. */
const SENTENCE_WORDS = { min: 3, max: 25 }

/**
 * What an opener of a style can pick up, in the words in which examples name it, in random order. A model that is told the
 * detail mixes up less than one that chooses it.
 * @param random - returns the next number in [0, 1)
 */
export function listDetails(style: Style, facts: OpenerFacts, random: () => number): string[] {
  const photos = facts.photoElements
    .filter((name) => !kindsOfThing(name).has('person') && !kindsOfThing(name).has('body'))
    .map((name) => `A photo of the recipient shows: ${name}`)
  const shared = facts.sharedInterests.map((interest) => `Both like: ${interest}`)
  const sentences = listSentences(facts.bio)
    .filter(isTelling)
    .map((sentence) => `The recipient wrote: ${sentence}`)
  const fitting = {
    playful_observation: [...sentences, ...photos],
    open_question: [...sentences, ...photos],
    photo_callback: photos,
    shared_interest: shared,
    confident_direct: [...sentences, ...photos],
  }[style].filter((detail) => ![...contentStems(detail)].some(isPrivate))
  return fitting
    .map((detail) => ({ detail, rank: random() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ detail }) => detail)
}

function isTelling(sentence: string): boolean {
  const { length } = listWords(sentence)
  return length >= SENTENCE_WORDS.min && length <= SENTENCE_WORDS.max
}
