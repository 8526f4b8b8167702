import { GOALS } from '../../../dist/match/goals.js'
import { TRAIT_PAIRS } from '../../../dist/match/traits.js'
import { commentsOnLooks } from '../../../dist/safety/appearance.js'
import { assessText } from '../../../dist/safety/text-safety.js'
import { contentStems, listSentences, listWords } from '../../../dist/text/words.js'
import { matchAnswers } from '../match-answers.js'
import { shareOf } from '../metrics.js'

/** A run of as many words of a bio tells one person what the other wrote. */
const QUOTED_WORDS = 5
const EXAMPLES = 20

/** @typedef {{ reason: string, category: string, pair: import('../read-profiles.js').Pair }} Given */

/** Whether a reason can be shown to both people and says what its category rests on. */
export const reasons = {
  name: 'reasons',
  title: 'Match reasons',
  about: 'Reasons of the calls with preferences given.',
  async run(/** @type {import('./all-measures.js').Task} */ task) {
    const rows = (await matchAnswers(task)).flatMap(({ pair, given }) =>
      given.status === 200
        ? [{ pair, reason: given.body.reason, category: given.body.reason_category }]
        : [],
    )
    const share = (
      /** @type {string} */ name,
      /** @type {string} */ title,
      /** @type {(row: Given) => boolean} */ holds,
    ) => shareOf(name, title, { rows, holds, seed: task.seed, target: { min: 1 } })
    return {
      metrics: [
        share('one_sentence', 'one sentence', ({ reason }) => listSentences(reason).length === 1),
        share('safe', 'safe to show, no remark on looks', ({ reason }) => isSafe(reason)),
        share('discreet', `quotes no ${QUOTED_WORDS} words of a bio`, isDiscreet),
        {
          ...share('evidence', 'names the evidence of its category', namesEvidence),
          target: { min: 0.95 },
        },
      ],
      plots: [],
      tables: [
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

function isSafe(/** @type {string} */ reason) {
  return assessText(reason, 'generated').safe && !commentsOnLooks(reason)
}

function isDiscreet(/** @type {Given} */ { reason, pair }) {
  const words = listWords(reason)
  const bios = [pair.sender, pair.recipient].map(({ bio }) => ` ${listWords(bio).join(' ')} `)
  return !words.some((_, start) => {
    const run = words.slice(start, start + QUOTED_WORDS)
    return run.length === QUOTED_WORDS && bios.some((bio) => bio.includes(` ${run.join(' ')} `))
  })
}

function namesEvidence(/** @type {Given} */ { reason, category, pair }) {
  const stems = contentStems(reason)
  return evidenceOf(category, pair).some((entry) =>
    [...contentStems(entry)].some((stem) => stems.has(stem)),
  )
}

/** @returns {readonly string[]} */
function evidenceOf(
  /** @type {string} */ category,
  /** @type {Given['pair']} */ { sender, recipient },
) {
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
