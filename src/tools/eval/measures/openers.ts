import path from 'node:path'
import { completeFacts, type OpenerFacts } from '../../../openers/opener-facts.js'
import type { OpenersExplanation, OpenersResponse } from '../../../openers/openers-contract.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { mean } from '../../statistics/agreement.js'
import { median } from '../../statistics/quantile.js'
import { computeMetric, computeShare, type Metric, type Target } from '../metrics.js'
import { createNearCopyDetector } from '../near-copies.js'
import {
  distinctTwo,
  flagSharedStarts,
  followsStyle,
  hasSendableLength,
  inventsDetail,
  isGrounded,
  isSafe,
  repeatsOther,
  type EvaluatedOpener,
  type WrittenOpener,
} from '../opener-rules.js'
import { openPerplexityModel, perplexityOf, type PerplexityModel } from '../perplexity.js'
import { readProfiles, type Pair } from '../read-profiles.js'
import { openersBody } from '../request-bodies.js'
import type { Reply } from '../service-under-test.js'
import type { EvaluationTask, Measure } from './measure.js'

const COUNT = 3
const EXAMPLES = 60
/** The adapter of the default pack was trained on the openers in it. */
const TRAINING_PAIRS = path.join(PROJECT_FOLDER, 'examples', 'evaluation', 'training.jsonl')

/** Everything that the calls returned. */
interface WrittenAnswers {
  replies: Reply<OpenersResponse>[]
  /** The openers of all answers. */
  released: EvaluatedOpener[]
  /** The first candidate of each style of all answers. */
  first: EvaluatedOpener[]
}

/** Openers compared with the promises of their styles and with the profiles. */
export const openers: Measure = {
  name: 'openers',
  title: 'Openers',
  about: `${COUNT} openers for each pair. "First candidates" are what the model wrote first for each style, before the service chose among candidates. Perplexity shows how unusual a text is to another language model: lower is more usual; compare with the openers written by hand. Whether an opener makes sense is for people to judge: see docs/evaluation.md.`,
  async run(task) {
    // First, so that an unusable pack is reported before the calls.
    const model = await openPerplexityModel(task.perplexityPack)
    try {
      return await measureOpeners(task, model)
    } finally {
      await model.close()
    }
  },
}

async function measureOpeners(task: EvaluationTask, model: PerplexityModel) {
  const { released, first, replies } = await requestOpeners(task)
  return {
    metrics: [
      ...measureRules({ released, first }, task.seed),
      ...measureVariety(released),
      ...measureAnswers(replies, task.seed),
      ...(await measurePerplexity(task, model, {
        perplexity: { title: 'perplexity', texts: released },
        first_perplexity: { title: 'first candidates: perplexity', texts: first },
        written_perplexity: {
          title: 'written by hand: perplexity',
          texts: listWrittenByHand(task.pairs),
        },
      })),
    ],
    tables: [
      {
        title: `First ${EXAMPLES} openers`,
        columns: ['bio', 'photos', 'style', 'opener'],
        rows: released
          .slice(0, EXAMPLES)
          .map(({ facts, style, text }) => [
            facts.bio,
            facts.photoElements.join(', '),
            style,
            text,
          ]),
      },
    ],
  }
}

async function requestOpeners({
  service,
  pairs,
  withProgress,
}: EvaluationTask): Promise<WrittenAnswers> {
  const replies: Reply<OpenersResponse>[] = []
  const released: EvaluatedOpener[] = []
  const first: EvaluatedOpener[] = []
  for (const pair of withProgress(pairs)) {
    const reply = await service.post(
      '/v1/conversation/openers',
      openersBody(pair, { count: COUNT }),
      { 'X-Service-Explain': 'true' },
    )
    replies.push(reply)
    if (!reply.answer) continue
    const { candidates, facts: explained } = reply.answer.explain!
    const facts = factsOf(pair, explained)
    released.push(...withFacts(listReleased(reply.answer, candidates), facts))
    first.push(...withFacts(listFirstOfEachStyle(candidates), facts))
  }
  return { replies, released, first }
}

/** Shares of openers and of first candidates that keep each rule. */
function measureRules(
  { released, first }: Pick<WrittenAnswers, 'released' | 'first'>,
  seed: number,
): Metric[] {
  const isCopy = createNearCopyDetector(
    readProfiles(TRAINING_PAIRS).pairs.flatMap((pair) => Object.values(pair.openers)),
  )
  // Openers of one answer have the same facts.
  const groupOf = ({ facts }: EvaluatedOpener) => facts
  const measure = (
    name: string,
    title: string,
    holds: (opener: EvaluatedOpener) => boolean,
    target: Target,
  ) => [
    computeShare(name, title, { rows: released, holds, groupOf, seed, target }),
    computeShare(`first_${name}`, `first candidates: ${title}`, {
      rows: first,
      holds,
      groupOf,
      seed,
    }),
  ]
  return [
    ...measure('style', 'follow the rules of their style', followsStyle, { min: 1 }),
    ...measure('grounded', 'name a detail of the profile', isGrounded, { min: 0.97 }),
    ...measure('invented', 'invent a detail', inventsDetail, { max: 0.03 }),
    ...measure('length', 'have a sendable length', hasSendableLength, { min: 1 }),
    ...measure('safe', 'are safe, without a comment on looks', isSafe, { min: 1 }),
    ...measure('copied', 'nearly copy a training text', ({ text }) => isCopy(text), { max: 0.02 }),
    ...measure('alike', 'nearly copy another opener of the answer', repeatsOther, { max: 0 }),
  ]
}

/** Without intervals, because a resample repeats texts. */
function measureVariety(released: readonly EvaluatedOpener[]): Metric[] {
  return [
    computeMetric('distinct_2', 'distinct pairs of words, of all (distinct-2)', {
      rows: released.map(({ text }) => text),
      statistic: distinctTwo,
    }),
    computeMetric(
      'same_beginning',
      'share their first four words with an opener for another pair',
      {
        rows: released,
        statistic: (sample) => mean(flagSharedStarts(sample)),
        unit: 'share',
      },
    ),
  ]
}

function measureAnswers(replies: readonly Reply<OpenersResponse>[], seed: number): Metric[] {
  const answers = replies.flatMap(({ answer, milliseconds }) =>
    answer ? [{ ...answer, milliseconds }] : [],
  )
  return [
    computeShare('unavailable', 'calls answered with 503', {
      rows: replies,
      holds: ({ status }) => status === 503,
      seed,
      target: { max: 0.01 },
    }),
    computeShare('complete', `answers with all ${COUNT} openers`, {
      rows: answers,
      holds: (answer) => answer.openers.length === COUNT,
      seed,
    }),
    computeMetric('candidates', 'candidates per call', {
      rows: answers.map(({ explain }) => explain!.candidates.length),
      statistic: mean,
      seed,
    }),
    computeMetric('milliseconds', 'median time', {
      rows: answers.map(({ milliseconds }) => milliseconds),
      statistic: median,
      unit: 'milliseconds',
      seed,
    }),
  ]
}

/** @param sets - by name of the metric; texts with the same `facts` are resampled together */
async function measurePerplexity(
  { perplexityPack, withProgress, seed }: EvaluationTask,
  model: PerplexityModel,
  sets: Record<string, { title: string; texts: readonly { text: string; facts: unknown }[] }>,
): Promise<Metric[]> {
  const metrics: Metric[] = []
  for (const [name, { title, texts }] of Object.entries(sets)) {
    const rows = []
    for (const { text, facts } of withProgress(texts)) {
      rows.push({ ...(await model.measure(text)), facts })
    }
    metrics.push(
      computeMetric(name, `${title} (${perplexityPack} without adapter)`, {
        rows,
        statistic: perplexityOf,
        groupOf: ({ facts }) => facts,
        seed,
      }),
    )
  }
  return metrics
}

function listWrittenByHand(pairs: readonly Pair[]) {
  return pairs.flatMap((pair) => Object.values(pair.openers).map((text) => ({ text, facts: pair })))
}

function factsOf({ sender, recipient }: Pair, facts: OpenersExplanation['facts']): OpenerFacts {
  return completeFacts({
    senderName: sender.name,
    bio: recipient.bio,
    photoElements: facts.photo_elements,
    likes: facts.likes,
    senderLikes: facts.sender_likes,
    commonGround: facts.common_ground,
    sharedInterests: [],
  })
}

function withFacts(written: readonly WrittenOpener[], facts: OpenerFacts): EvaluatedOpener[] {
  return written.map(({ text, style, beginning }) => ({
    text,
    style,
    beginning,
    facts,
    otherTexts: written.map((other) => other.text).filter((other) => other !== text),
  }))
}

/** The openers of an answer as the candidates that they were. */
function listReleased(
  answer: OpenersResponse,
  candidates: readonly WrittenOpener[],
): WrittenOpener[] {
  return answer.openers.map(({ style, text }) =>
    candidates.find((candidate) => candidate.style === style && candidate.text === text)!,
  )
}

function listFirstOfEachStyle(candidates: readonly WrittenOpener[]): WrittenOpener[] {
  const styles = candidates.map(({ style }) => style)
  return candidates.filter(({ style }, i) => styles.indexOf(style) === i)
}
