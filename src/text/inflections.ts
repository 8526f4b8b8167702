const ENDINGS = ['ing', 'ed', 'er', 'or']
/** A shorter rest is a word of its own: "sing", "bed". */
const MIN_REST = 3

/**
 * A word without the endings of an inflection or of somebody who does it, so that "gardener" and "gardening" agree, and "puppeteer" and
 * "puppet", "officiant" and "official", which have one stem, do not. What is left is not always a word.
 * @param word - in lower case
 */
export function withoutInflection(word: string): string {
  let base = singular(word.replace(/['’]s?$/u, ''))
  // Twice: "embroidered" has the two endings of "embroider" and its own.
  for (let i = 0; i < 2; i++) base = withoutEnding(base)
  return base
    .replace(/([b-df-hj-np-tv-xz])\1$/u, '$1')
    .replace(/e$/u, '')
    .replace(/y$/u, 'i')
}

function singular(word: string): string {
  if (/[^aeiou]ies$/u.test(word)) return word.replace(/ies$/u, 'y')
  if (/(?:ss|sh|ch|x|z)es$/u.test(word)) return word.slice(0, -2)
  return /[^su]s$/u.test(word) ? word.slice(0, -1) : word
}

function withoutEnding(word: string): string {
  const ending = ENDINGS.find((each) => word.endsWith(each))
  if (ending === undefined || word.endsWith('eer')) return word
  const rest = word.slice(0, -ending.length)
  return rest.length >= MIN_REST && /[aeiouy]/u.test(rest) ? rest : word
}
