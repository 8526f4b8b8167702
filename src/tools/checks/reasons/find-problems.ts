import type { Category } from '../../../match/categories.js'
import { GOALS } from '../../../match/goals.js'
import { isSafeSentence, listOtherNames } from '../../../match/reason-rules.js'
import type { WrittenReasons } from '../../../match/reasons/read-match-reasons.js'
import { PLACEHOLDERS, type Pattern } from '../../../match/reasons/reason-schema.js'
import { TRAIT_PAIRS } from '../../../match/traits.js'
import { KNOWN_TAGS } from '../../../profile/tag-vocabulary.js'
import { plainName } from '../../../text/plain-name.js'
import { familyStems } from '../../../text/word-families.js'
import { contentStems, listWords } from '../../../text/words.js'

const MIN_CHARACTERS = 40
const MAX_CHARACTERS = 120

/** Says that the sentence is about both people. */
const BOTH = /\bboth\b|\b(?:two|each) of you\b|\byou each\b|\byou share\b/i
/** Says what each of the two is. */
const EACH_SIDE = /\bone of you\b.*\bother\b/i
const CALENDAR =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|May|June|July|August|September|October|November|December)$/

/** The only entries that categories of the service's own names have. */
const OWN_NAMES: Partial<Record<Category, ReadonlySet<string>>> = {
  aesthetic_alignment: new Set(KNOWN_TAGS.map(({ tag }) => tag)),
  similar_goals: new Set(GOALS.map(({ label }) => label)),
  complementary_traits: new Set(TRAIT_PAIRS.map(({ label }) => label)),
}
const TOPICS: readonly Category[] = ['similar_goals', 'complementary_traits']

/** Everything that is wrong with reasons written by hand, each with its file and line. */
export function findProblems({ entries, pairs, patterns }: WrittenReasons): string[] {
  const seen = { names: new Set<string>(), texts: new Set<string>() }
  return [
    ...entries.flatMap(({ category, file, place, value: { entry, also = [], reasons } }) => {
      const names = [entry, ...also]
      const unknown = OWN_NAMES[category]?.has(entry) === false ? ['no such tag or label'] : []
      const twice = names.filter((name) => isRepeated(`${file} ${plainName(name)}`, seen.names))
      const about = TOPICS.includes(category) ? [] : [names]
      const says = category === 'complementary_traits' ? EACH_SIDE : BOTH
      return [
        ...unknown,
        ...twice.map((name) => `${name} is there twice`),
        ...checkTexts(reasons, { about, says, texts: seen.texts }),
      ].map((problem) => `${place} (${entry}): ${problem}`)
    }),
    ...pairs.flatMap(({ file, place, value: { pair, reasons } }) => {
      const name = pair.map(plainName).sort().join(' and ')
      const twice = isRepeated(`${file} ${name}`, seen.names) ? ['the pair is there twice'] : []
      const about = pair.map((side) => [side])
      return [...twice, ...checkTexts(reasons, { about, texts: seen.texts })].map(
        (problem) => `${place} (${name}): ${problem}`,
      )
    }),
    ...patterns.flatMap(({ place, value: { pattern, reasons } }) =>
      reasons
        .flatMap((text) => checkPattern(text, pattern, seen.texts))
        .map((problem) => `${place} (${pattern}): ${problem}`),
    ),
  ]
}

/** Stand in for the placeholders of a pattern. */
const SAMPLES = ['chess', 'vegan cooking']

function checkPattern(text: string, pattern: Pattern, texts: Set<string>): string[] {
  const wanted = pattern.startsWith('different') ? 1 : 0
  const isWrong = PLACEHOLDERS.some((one) => text.split(one).length - 1 !== wanted)
  const filled = PLACEHOLDERS.reduce((all, one, i) => all.replace(one, SAMPLES[i]!), text)
  return [
    ...(isWrong ? [`has not ${wanted} of each placeholder: ${text}`] : []),
    ...checkTexts([filled], { about: [], texts }),
  ]
}

interface TextRules {
  /** What the text must name: of each list, one. */
  about: readonly (readonly string[])[]
  says?: RegExp
  /** Texts before. */
  texts: Set<string>
}

function checkTexts(reasons: readonly string[], rules: TextRules): string[] {
  return reasons.flatMap((text) => checkText(text, rules).map((problem) => `${problem}: ${text}`))
}

function checkText(text: string, { about, says, texts }: TextRules): string[] {
  const length = [...text].length
  const others = listOtherNames(text, about.flat()).filter((word) => !CALENDAR.test(word))
  return [
    ...(isSafeSentence(text) ? [] : ['not one safe sentence without numbers']),
    ...(length < MIN_CHARACTERS || length > MAX_CHARACTERS ? [`${length} characters`] : []),
    ...about.filter((names) => !names.some((name) => isNamed(name, text))).map(describeUnnamed),
    ...others.map((word) => `names ${word}`),
    ...(says === undefined || says.test(text) ? [] : ['does not say that it is about both']),
    ...(isRepeated(listWords(text).join(' '), texts) ? ['there twice'] : []),
  ]
}

function describeUnnamed([name]: readonly string[]): string {
  return `does not name ${name}`
}

/** Whether a text has a word of the name, in any form. */
function isNamed(name: string, text: string): boolean {
  const stems = contentStems(text)
  return contentStems(name).size === 0 || [...familyStems(name)].some((stem) => stems.has(stem))
}

/** Whether a key was seen before; remembers it. */
function isRepeated(key: string, seen: Set<string>): boolean {
  const isKnown = seen.has(key)
  seen.add(key)
  return isKnown
}
