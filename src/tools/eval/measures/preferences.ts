import { startUpCall } from '../../../inference/inference-call.js'
import { contentStems, listSentences } from '../../../text/words.js'
import { mean } from '../../statistics/agreement.js'
import { median } from '../../statistics/quantile.js'
import { countMatches, createTextComparison, MIN_MATCH_DEVIATIONS } from '../entry-matching.js'
import { computeMetric, computeShare, type Metric, type Target } from '../metrics.js'
import type { Person } from '../read-profiles.js'
import { preferencesBody } from '../request-bodies.js'
import type { ServiceUnderTest } from '../service-under-test.js'
import type { Measure } from './measure.js'

/** Deviations above unrelated texts from which a sentence of the bio or a photo tag supports an entry. */
const MIN_SUPPORT_DEVIATIONS = 1.8
const EXAMPLES = 20

type Kind = 'interests' | 'lifestyle'
type Preferences = Record<Kind, string[]>

interface MatchCounts {
  matched: number
  inferred: number
  labelled: number
}
interface InferredProfile {
  person: Person
  inferred: Preferences
  counts: Record<Kind, MatchCounts>
  unsupported: string[]
}

/** Inferred preferences compared with those that profiles state. */
export const preferences: Measure = {
  name: 'preferences',
  title: 'Preferences',
  about: `Inferred interests and lifestyle compared with the labelled ones. Two entries match if they have the same word stems or lie ${MIN_MATCH_DEVIATIONS} standard deviations above unrelated texts in the text space of the CLIP pack; every entry matches at most once.`,
  async run({ service, pairs, withProgress, seed }) {
    const people = pairs.flatMap(({ sender, recipient }) => [sender, recipient])
    const profiles: InferredProfile[] = []
    const statuses: number[] = []
    const times: number[] = []
    for (const person of withProgress(people)) {
      const { status, answer, milliseconds } = await service.post(
        '/v1/profile/infer-preferences',
        preferencesBody(person),
      )
      statuses.push(status)
      if (!answer) continue
      profiles.push(await comparePreferences(service, person, answer.preferences))
      times.push(milliseconds)
    }
    return {
      metrics: [
        ...measureAgreement('interests', profiles, seed, { min: 0.6 }),
        ...measureAgreement('lifestyle', profiles, seed),
        ...measureEntries(profiles, seed),
        computeShare('answered', 'answered, of all calls', {
          rows: statuses,
          holds: (status) => status === 200,
          seed,
        }),
        computeMetric('milliseconds', 'median time', {
          rows: times,
          statistic: median,
          unit: 'milliseconds',
          seed,
        }),
      ],
      tables: [
        {
          title: `First ${EXAMPLES} profiles`,
          columns: [
            'interests inferred',
            'labelled',
            'lifestyle inferred',
            'labelled',
            'unsupported',
          ],
          rows: profiles
            .slice(0, EXAMPLES)
            .map(({ person, inferred, unsupported }) =>
              [
                inferred.interests,
                person.interests,
                inferred.lifestyle,
                person.lifestyle,
                unsupported,
              ].map((entries) => entries.join(', ')),
            ),
        },
      ],
    }
  },
}

/** Precision, recall and F1 over the entries of all profiles. */
function measureAgreement(
  kind: Kind,
  profiles: readonly InferredProfile[],
  seed: number,
  target?: Target,
): Metric[] {
  const measure = (name: string, statistic: (total: MatchCounts) => number, goal?: Target) =>
    computeMetric(`${kind}_${name}`, `${kind}: ${name}`, {
      rows: profiles,
      statistic: (sample) => statistic(sumCounts(sample.map(({ counts }) => counts[kind]))),
      seed,
      target: goal,
    })
  return [
    measure('precision', ({ matched, inferred }) => matched / inferred),
    measure('recall', ({ matched, labelled }) => matched / labelled),
    measure(
      'f1',
      ({ matched, inferred, labelled }) => (2 * matched) / (inferred + labelled),
      target,
    ),
  ]
}

function sumCounts(counts: readonly MatchCounts[]): MatchCounts {
  const sum = (field: keyof MatchCounts) => counts.reduce((all, own) => all + own[field], 0)
  return { matched: sum('matched'), inferred: sum('inferred'), labelled: sum('labelled') }
}

function measureEntries(profiles: readonly InferredProfile[], seed: number): Metric[] {
  const entries = profiles.flatMap(({ person, inferred, unsupported }) =>
    entriesOf(inferred).map((entry) => ({ person, isUnsupported: unsupported.includes(entry) })),
  )
  return [
    computeShare('unsupported', 'entries without support in bio or photos', {
      rows: entries,
      holds: ({ isUnsupported }) => isUnsupported,
      groupOf: ({ person }) => person,
      seed,
      target: { max: 0.05 },
    }),
    computeMetric('entries', 'entries per profile', {
      rows: profiles,
      statistic: (sample) => mean(sample.map(({ inferred }) => entriesOf(inferred).length)),
      seed,
    }),
  ]
}

async function comparePreferences(
  service: ServiceUnderTest,
  person: Person,
  inferred: Preferences,
): Promise<InferredProfile> {
  const terms = [...listSentences(person.bio), ...person.photos]
  const compare = await createTextComparison(
    [...terms, ...entriesOf(inferred), ...entriesOf(person)],
    await service.context.textSimilarity(),
    startUpCall(),
  )
  const countsOf = (kind: Kind) => ({
    matched: countMatches(inferred[kind], person[kind], compare),
    inferred: inferred[kind].length,
    labelled: person[kind].length,
  })
  const stems = contentStems(terms.join(' . '))
  const isSupported = (entry: string) =>
    [...contentStems(entry)].some((stem) => stems.has(stem)) ||
    terms.some((term) => compare(entry, term) >= MIN_SUPPORT_DEVIATIONS)
  return {
    person,
    inferred,
    counts: { interests: countsOf('interests'), lifestyle: countsOf('lifestyle') },
    unsupported: entriesOf(inferred).filter((entry) => !isSupported(entry)),
  }
}

function entriesOf({ interests, lifestyle }: Preferences): string[] {
  return [...interests, ...lifestyle]
}
