import { resolveConfusablesTransformer } from 'obscenity'

/** The same text as rules read it. */
export interface FoldedText {
  /** Lower case, plain Latin letters and digits, no apostrophes, single spaces; lines stay lines. */
  plain: string
  /** `plain` with spaced, repeated, starred and leetspeak letters undone; undefined when there are none. */
  unmasked: string | undefined
}

const confusables = resolveConfusablesTransformer()

/** Zeros of the digits that NFKD leaves as they are: Arabic, Persian, Devanagari, Bengali. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6]
const LETTERS_WITHOUT_DECOMPOSITION: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
}
const LETTERS_FOR: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Words that people write with stars in the middle. */
const STARRED_WORDS =
  `fuck fucking fucker sex sexy porn dick cock pussy nudes nude horny kill rape tits slut whore bitch cunt
  faggot nigger snap insta`.split(/\s+/)

/**
 * Accents, characters without a shape, and Arabic phrases of one code point. They go before
 * normalising too: it sorts runs of accents in quadratic time, and makes 18 characters of one phrase.
 */
const UNSEEN = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\ufdf0-\ufdfd]/gu

/** A sign for a letter, with letters on both sides or before a word. */
const LEETSPEAK = /[a-z][013457@$!]+[a-z]|^[@$][a-z]|^[013457][a-z]{4}/

/**
 * Brings a text into the form the rules are written for. Accents go, look-alike letters of other
 * scripts become Latin where they stand in a Latin word, and characters that nobody sees vanish.
 */
export function foldText(text: string): FoldedText {
  const visible = isAscii(text) ? text : foldCharacters(text)
  const plain = tidy(foldMixedWords(visible))
  const unmasked = unmask(tidy(resolveConfusables(visible)))
  return { plain, unmasked: unmasked === plain ? undefined : unmasked }
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}

function foldCharacters(text: string): string {
  return text
    .replace(UNSEEN, '')
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .replace(/[ßæÆœŒøØłŁđĐı]/g, (letter) => LETTERS_WITHOUT_DECOMPOSITION[letter] ?? letter)
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g, toAsciiDigit)
}

function toAsciiDigit(digit: string): string {
  const codePoint = digit.charCodeAt(0)
  const zero = ZEROS.findLast((candidate) => candidate <= codePoint) ?? codePoint
  return String(codePoint - zero)
}

/** Only words that mix scripts are folded: a bio in Russian or Greek stays what it is. */
function foldMixedWords(text: string): string {
  if (isAscii(text)) return text
  return text.replace(/\p{L}+/gu, (word) =>
    /[a-z]/i.test(word) && !isAscii(word) ? resolveConfusables(word) : word,
  )
}

function resolveConfusables(text: string): string {
  if (isAscii(text)) return text
  return text.replace(/[^\0-\x7f]/gu, (character) => {
    const codePoint = character.codePointAt(0) ?? 0
    return String.fromCodePoint(confusables.transform(codePoint) ?? codePoint)
  })
}

function tidy(text: string): string {
  return text
    .toLowerCase()
    .replace(/['`\u2018\u2019\u02bc\u00b4]/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}

function unmask(text: string): string {
  return text
    .replace(/\b[a-z]{1,12}\*{1,6}[a-z]{1,12}\b/g, readStars)
    .replace(/[a-z0-9@$!]{3,40}/g, (word) => (LEETSPEAK.test(word) ? readLeetspeak(word) : word))
    .replace(/([aeiouy])\1{2,}/g, '$1')
    .replace(/([b-df-hj-np-tv-xz])\1{2,}/g, '$1$1')
    .replace(/(?<![a-z0-9])([a-z])[._*-](?=[a-z]{2})/g, '$1')
    .replace(/(?<![a-z0-9])[a-z](?:[ .*_/\\|-]{1,3}[a-z](?![a-z0-9])){2,}/g, joinLetters)
}

function readStars(masked: string): string {
  const head = masked.slice(0, masked.indexOf('*'))
  const tail = masked.slice(masked.lastIndexOf('*') + 1)
  const fits = (word: string) =>
    word.length > head.length + tail.length && word.startsWith(head) && word.endsWith(tail)
  return STARRED_WORDS.find(fits) ?? masked
}

function readLeetspeak(word: string): string {
  return word.replace(/[013457@$!]/g, (sign) => LETTERS_FOR[sign] ?? sign)
}

/** "a s s" may be one word or an article before two letters, so both readings are given. */
function joinLetters(letters: string): string {
  const joined = letters.replace(/[^a-z]/g, '')
  return /^[ai]/.test(joined) ? `${joined.slice(1)} ${joined}` : joined
}
