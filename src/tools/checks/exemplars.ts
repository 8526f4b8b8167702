import process from 'node:process'
import { checkText, checkUse } from '../../openers/checks/check-opener.js'
import { createTerms } from '../../openers/exemplars/bio-terms.js'
import type { ExemplarConditions, ExemplarGroup } from '../../openers/exemplars/exemplar-schema.js'
import { readExemplars } from '../../openers/exemplars/read-exemplars.js'
import { completeFacts } from '../../openers/opener-facts.js'
import { isPrivate } from '../../openers/private-topics.js'
import { KNOWN_TAGS } from '../../profile/tag-vocabulary.js'
import { contentStems, listWords } from '../../text/words.js'
import { EXEMPLARS_FOLDER } from '../project-folder.js'

/**
 * Checks exemplars: `npm run exemplars:check -- [folder]`. Every text must pass the checks of form, style and safety that
 * the service applies, whatever alternative of its conditions holds; no text may occur twice; conditions must name known
 * photo tags, no private topic, and no word that is taken for a common one, as "canning" is for "can".
 */

const folder = process.argv[2] ?? EXEMPLARS_FOLDER
const termOf = createTerms()
const knownTags = new Set(KNOWN_TAGS.map(({ tag }) => tag))

const groups = readExemplars(folder)
const problems = [...groups.flatMap(checkGroup), ...findRepeated(groups)]
for (const problem of problems) console.error(problem)
printSummary(groups)
process.exitCode = problems.length === 0 && groups.length > 0 ? 0 : 1

function checkGroup({ when, openers }: ExemplarGroup): string[] {
  const unknown = (when.photos ?? []).flat().filter((tag) => !knownTags.has(tag))
  const terms = (when.bio ?? []).flatMap(({ any }) => any)
  const isAboutPrivate = (term: string) => [...contentStems(term)].some(isPrivate)
  return [
    ...unknown.map((tag) => `no such photo tag: ${tag}`),
    ...terms.filter(isAboutPrivate).map((term) => `a private topic: ${term}`),
    ...terms.filter(isTakenForCommon).map((term) => `holds for a common word: ${term}`),
    ...openers.flatMap(({ text, style }) => {
      const failed = smallestProfiles(when)
        .map((facts) => checkText(text) ?? checkUse(text, { style, facts, earlier: [] }))
        .find((rejection) => rejection !== undefined)
      return failed === undefined ? [] : [`${failed} (${style}): ${text}`]
    }),
  ]
}

/** Bios are searched for stems. */
function isTakenForCommon(term: string): boolean {
  const { stems } = termOf(term)
  return stems.length === 1 && contentStems(stems[0]!).size === 0
}

/**
 * Profiles for which the conditions hold by one alternative each, and that have nothing else. The alternatives of a shared
 * interest are names of the same thing.
 */
function smallestProfiles({ photos = [], likes = [], shared = [] }: ExemplarConditions) {
  const most = Math.max(1, likes.length, ...photos.map(({ length }) => length))
  const nth = (list: readonly string[], i: number) => list.slice(i % list.length).slice(0, 1)
  return Array.from({ length: most }, (_, i) =>
    completeFacts({
      senderName: '',
      bio: '',
      photoElements: photos.flatMap((tags) => nth(tags, i)),
      likes: nth(likes, i),
      senderLikes: shared,
      commonGround: shared,
      sharedInterests: shared,
    }),
  )
}

function findRepeated(all: readonly ExemplarGroup[]): string[] {
  const seen = new Set<string>()
  return all
    .flatMap(({ openers }) => openers)
    .flatMap(({ text }) => {
      const key = listWords(text).join(' ')
      const isRepeated = seen.has(key)
      seen.add(key)
      return isRepeated ? [`twice: ${text}`] : []
    })
}

function printSummary(all: readonly ExemplarGroup[]): void {
  const texts = all.flatMap(({ openers }) => openers).map(({ text }) => text)
  const counts = new Map<string, number>()
  for (const text of texts) {
    const start = listWords(text).slice(0, 4).join(' ')
    counts.set(start, (counts.get(start) ?? 0) + 1)
  }
  const sharing = [...counts.values()]
    .filter((count) => count > 1)
    .reduce((sum, count) => sum + count, 0)
  const share = ((100 * sharing) / Math.max(1, texts.length)).toFixed(1)
  console.log(
    `${texts.length} exemplars in ${all.length} groups, ${problems.length} problems; ${share} % begin with the same four words as another`,
  )
}
