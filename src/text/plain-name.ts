import { listWords } from './words.js'

const LATIN_ACCENTS = /[\u0300-\u036f]/g
const ARTICLE = /^(?:the|an?) (?=.)/

/** A name without capitals, punctuation and accents of Latin letters: equal for "Stand-up Comedy" and "stand up comedy". */
export function plainName(name: string): string {
  return listWords(name.normalize('NFKD').replace(LATIN_ACCENTS, '')).join(' ')
}

/**
 * A plain name without its article, in an invented form that singular and plural have in common: equal for "dog" and
 * "dogs". Word stems would go too far: "journaling" has that of "journalism", and "organizing" that of "organ".
 */
export function foldNumber(name: string): string {
  return name.replace(ARTICLE, '').split(' ').map(foldWord).join(' ')
}

/** "Hobby" and "hobbies" become "hobbi", "dish" and "dishes" become "dish". */
function foldWord(word: string): string {
  return word
    .replace(/(?<!s)s$/, '')
    .replace(/(?<=..)e$/, '')
    .replace(/y$/, 'i')
}
