import { startUpCall } from '../../../dist/inference/call.js'
import { contentStems, listSentences } from '../../../dist/text/words.js'
import { median } from '../../../dist/tools/statistics/quantile.js'
import { compareTexts, countMatches, SAME } from '../entry-agreement.js'
import { metricOf, shareOf } from '../metrics.js'
import { preferencesBody } from '../request-bodies.js'

/** Deviations above unrelated texts from which a sentence of the bio, or a photo tag, is taken to support an entry. */
const SUPPORTS = 1.8
const EXAMPLES = 20

/** @typedef {import('../read-profiles.js').Person} Person */
/** @typedef {'interests' | 'lifestyle'} Kind */
/** @typedef {{ matched: number, found: number, labelled: number }} Tally */
/** @typedef {{ person: Person, found: Record<Kind, string[]>, tally: Record<Kind, Tally>, unsupported: string[], milliseconds: number }} Row */

/** What the service reads in bios and photos against what the profiles say of themselves. */
export const preferences = {
  name: 'preferences',
  title: 'Preferences',
  about: `Inferred interests and lifestyle against the labelled ones. Two entries match when they share their words or lie ${SAME} standard deviations above unrelated texts in the text space of the CLIP pack; each is used once.`,
  async run(/** @type {import('./all-measures.js').Task} */ { service, pairs, progress, seed }) {
    const people = pairs.flatMap((pair) => [pair.sender, pair.recipient])
    /** @type {Row[]} */
    const rows = []
    let refused = 0
    for (const person of progress(people)) {
      const { status, body, milliseconds } = await service.post(
        '/v1/profile/infer-preferences',
        preferencesBody(person),
      )
      if (status === 200)
        rows.push({ ...(await judge(service, person, body.preferences)), milliseconds })
      else refused++
    }
    const entries = rows.flatMap(({ person, found, unsupported }) =>
      [...found.interests, ...found.lifestyle].map((entry) => ({
        person,
        isUnsupported: unsupported.includes(entry),
      })),
    )
    return {
      metrics: [
        ...agreement('interests', rows, { seed, target: { min: 0.6 } }),
        ...agreement('lifestyle', rows, { seed }),
        shareOf('unsupported', 'entries without support in bio or photos', {
          rows: entries,
          holds: ({ isUnsupported }) => isUnsupported,
          groupOf: ({ person }) => person,
          seed,
          target: { max: 0.05 },
        }),
        metricOf('entries', 'entries a profile', {
          rows,
          statistic: (some) =>
            some.reduce(
              (sum, { found }) => sum + found.interests.length + found.lifestyle.length,
              0,
            ) / some.length,
          seed,
        }),
        shareOf('answered', 'answered, of all calls', {
          rows: people.map((_, i) => i >= refused),
          holds: (isAnswered) => isAnswered,
          seed,
        }),
        metricOf('milliseconds', 'median time', {
          rows: rows.map((row) => row.milliseconds),
          statistic: median,
          unit: 'milliseconds',
          seed,
        }),
      ],
      plots: [],
      tables: [
        {
          title: `First ${EXAMPLES} profiles`,
          columns: ['interests found', 'labelled', 'lifestyle found', 'labelled', 'unsupported'],
          rows: rows
            .slice(0, EXAMPLES)
            .map(({ person, found, unsupported }) => [
              found.interests.join(', '),
              person.interests.join(', '),
              found.lifestyle.join(', '),
              person.lifestyle.join(', '),
              unsupported.join(', '),
            ]),
        },
      ],
    }
  },
}

/**
 * Precision, recall and F1 over all entries of all profiles.
 * @param {Kind} kind
 * @param {readonly Row[]} rows
 * @param {{ seed: number, target?: import('../metrics.js').Metric['target'] }} options
 */
function agreement(kind, rows, { seed, target }) {
  const sum = (/** @type {readonly Row[]} */ some) => {
    const total = { matched: 0, found: 0, labelled: 0 }
    for (const { tally } of some) {
      total.matched += tally[kind].matched
      total.found += tally[kind].found
      total.labelled += tally[kind].labelled
    }
    return total
  }
  const metric = (
    /** @type {string} */ name,
    /** @type {(total: Tally) => number} */ statistic,
    /** @type {typeof target} */ wanted,
  ) =>
    metricOf(`${kind}_${name}`, `${kind}: ${name}`, {
      rows,
      statistic: (some) => statistic(sum(some)),
      seed,
      target: wanted,
    })
  return [
    metric('precision', ({ matched, found }) => matched / found, undefined),
    metric('recall', ({ matched, labelled }) => matched / labelled, undefined),
    metric('f1', ({ matched, found, labelled }) => (2 * matched) / (found + labelled), target),
  ]
}

/**
 * @param {import('../service-under-test.js').Service} service
 * @param {Person} person
 * @param {{ interests: string[], lifestyle: string[] }} found
 */
async function judge(service, person, found) {
  const inputs = [...listSentences(person.bio), ...person.photos]
  const alikeness = await compareTexts(
    [...inputs, ...found.interests, ...found.lifestyle, ...person.interests, ...person.lifestyle],
    await service.context.textSimilarity(),
    startUpCall(),
  )
  const tally = (/** @type {Kind} */ kind) => ({
    matched: countMatches(found[kind], person[kind], alikeness),
    found: found[kind].length,
    labelled: person[kind].length,
  })
  const inputStems = contentStems(inputs.join(' . '))
  const isSupported = (/** @type {string} */ entry) =>
    [...contentStems(entry)].some((stem) => inputStems.has(stem)) ||
    inputs.some((input) => alikeness(entry, input) >= SUPPORTS)
  return {
    person,
    found,
    tally: { interests: tally('interests'), lifestyle: tally('lifestyle') },
    unsupported: [...found.interests, ...found.lifestyle].filter((entry) => !isSupported(entry)),
  }
}
