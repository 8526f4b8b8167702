import { CATEGORIES } from '../../../match/categories.js'
import { GOALS } from '../../../match/goals.js'
import { TRAIT_PAIRS } from '../../../match/traits.js'
import { contentStems, listSentences, listWords } from '../../../text/words.js'
import { computeShare } from '../metrics.js'
import { isSafe } from '../opener-rules.js'
import type { Pair } from '../read-profiles.js'
import type { Measure } from './measure.js'

/** Words of a bio in a row that reveal to one person what the other wrote. */
const QUOTED_WORDS = 5
const EXAMPLES = 20

interface GivenReason {
  reason: string
  category: string
  /** By hand, for what the two have in common. */
  isWritten: boolean
  pair: Pair
}

/** Whether reasons can be shown to both people and name evidence of their category. */
export const reasons: Measure = {
  name: 'reasons',
  title: 'Match reasons',
  about: 'Reasons of the match calls with preferences given.',
  async run({ service, evaluatedPairs, seed }) {
    const { matchReasons } = service.context
    const rows = (await evaluatedPairs()).flatMap(({ pair, given: { answer } }): GivenReason[] => {
      if (!answer) return []
      const { reason, reason_category: category } = answer
      return [{ pair, reason, category, isWritten: matchReasons.has(reason) }]
    })
    const measure = (
      name: string,
      title: string,
      holds: (row: GivenReason) => boolean,
      target = { min: 1 },
    ) => computeShare(name, title, { rows, holds, seed, target })
    return {
      metrics: [
        measure('one_sentence', 'one sentence', ({ reason }) => listSentences(reason).length === 1),
        measure('safe', 'safe, no comment on looks', ({ reason }) => isSafe({ text: reason })),
        measure('discreet', `quotes no ${QUOTED_WORDS} words of a bio`, isDiscreet),
        measure('evidence', 'names evidence of its category', namesEvidence, { min: 0.95 }),
        computeShare('written', 'written by hand', { rows, holds: (row) => row.isWritten, seed }),
      ],
      tables: [
        {
          title: 'Reasons by category',
          columns: ['category', 'written by hand', 'others'],
          rows: CATEGORIES.map((name) => {
            const ofCategory = rows.filter(({ category }) => category === name)
            const written = ofCategory.filter(({ isWritten }) => isWritten).length
            return [name, String(written), String(ofCategory.length - written)]
          }),
        },
        {
          title: `First ${EXAMPLES} reasons`,
          columns: ['labelled', 'answered', 'reason'],
          rows: rows
            .slice(0, EXAMPLES)
            .map(({ pair, category, reason }) => [pair.match.category, category, reason]),
        },
      ],
    }
  },
}

function isDiscreet({ reason, pair }: GivenReason): boolean {
  const words = listWords(reason)
  const bios = [pair.sender, pair.recipient].map(({ bio }) => ` ${listWords(bio).join(' ')} `)
  return !words.some((_, start) => {
    const run = words.slice(start, start + QUOTED_WORDS)
    return run.length === QUOTED_WORDS && bios.some((bio) => bio.includes(` ${run.join(' ')} `))
  })
}

function namesEvidence({ reason, category, pair }: GivenReason): boolean {
  const stems = contentStems(reason)
  const words = new Set(listWords(reason))
  return evidenceFor(category, pair).some((entry) => {
    const wanted = contentStems(entry)
    // Of common words only, as in "want to do some good", the last says what is meant.
    if (wanted.size === 0) return words.has(listWords(entry).at(-1) ?? '')
    return [...wanted].some((stem) => stems.has(stem))
  })
}

function evidenceFor(category: string, { sender, recipient }: Pair): readonly string[] {
  switch (category) {
    case 'shared_hobbies':
      return [...sender.interests, ...recipient.interests]
    case 'lifestyle_fit':
      return [...sender.lifestyle, ...recipient.lifestyle]
    case 'similar_goals':
      return GOALS.map((goal) => goal.label)
    case 'complementary_traits':
      return [...TRAIT_PAIRS.map((pair) => pair.label), ...sender.interests, ...recipient.interests]
    default:
      return [...sender.photos, ...recipient.photos]
  }
}
