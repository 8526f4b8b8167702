import path from 'node:path'
import { completeFacts } from '../../../dist/openers/opener-facts.js'
import { projectDir } from '../../prepare.js'
import { mean } from '../../../dist/tools/statistics/agreement.js'
import { median } from '../../../dist/tools/statistics/quantile.js'
import { metricOf, shareOf } from '../metrics.js'
import { createCopyFinder } from '../near-copies.js'
import {
  distinctPairs,
  hasLength,
  invents,
  isAlike,
  isGrounded,
  isSafe,
  keepsStyle,
  markSameBeginnings,
} from '../opener-rules.js'
import { readProfiles } from '../read-profiles.js'
import { openPerplexityJudge, perplexityOf } from '../perplexity.js'
import { openersBody } from '../request-bodies.js'

const COUNT = 3
const EXAMPLES = 60
const TRAINING = path.join(projectDir, 'examples', 'evaluation', 'training.jsonl')

/** @typedef {import('../../../dist/openers/opener-facts.js').OpenerFacts} OpenerFacts */
/** @typedef {import('../opener-rules.js').Candidate} Candidate */
/** @typedef {import('../opener-rules.js').Row} Row */

/** What is sent, against the promises of the styles and what the profiles say. */
export const openers = {
  name: 'openers',
  title: 'Openers',
  about: `${COUNT} openers for each pair. "First candidates" are what the model wrote first for each style, before anything was chosen. Perplexity tells how usual a text is to another language model, the lower the more; the hand-written openers are there to compare with. Whether an opener makes sense is for people to judge: docs/evaluation.md tells how.`,
  async run(/** @type {import('./all-measures.js').Task} */ task) {
    // First, so that a pack which is not there is told before the calls.
    const judge = await openPerplexityJudge(task.perplexityBy)
    try {
      return await measureOpeners(task, judge)
    } finally {
      await judge.close()
    }
  },
}

/**
 * @param {import('./all-measures.js').Task} task
 * @param {import('../perplexity.js').PerplexityJudge} judge
 */
async function measureOpeners(task, judge) {
  const { service, pairs, progress, seed } = task
  /** @type {Row[]} */
  const released = []
  /** @type {Row[]} */
  const first = []
  /** @type {number[]} */
  const statuses = []
  /** @type {number[]} */
  const times = []
  /** @type {number[]} */
  const answered = []
  /** @type {number[]} */
  const candidates = []
  for (const pair of progress(pairs)) {
    const { status, body, milliseconds } = await service.post(
      '/v1/conversation/openers',
      openersBody(pair, { count: COUNT }),
      { 'X-Service-Explain': 'true' },
    )
    statuses.push(status)
    if (status !== 200) continue
    times.push(milliseconds)
    answered.push(body.openers.length)
    candidates.push(body.explain.candidates.length)
    const facts = factsOf(pair, body.explain.facts)
    released.push(...rowsOf(releasedOf(body), facts))
    first.push(...rowsOf(firstOfEachStyle(body.explain.candidates), facts))
  }
  const isCopy = createCopyFinder(
    readProfiles(TRAINING).pairs.flatMap((pair) => Object.values(pair.openers)),
  )
  const share = (
    /** @type {string} */ name,
    /** @type {string} */ title,
    /** @type {(row: Row) => boolean} */ holds,
    /** @type {import('../metrics.js').Metric['target']} */ target,
  ) => [
    shareOf(name, title, { rows: released, holds, groupOf: answerOf, seed, target }),
    shareOf(`first_${name}`, `first candidates: ${title}`, {
      rows: first,
      holds,
      groupOf: answerOf,
      seed,
    }),
  ]
  return {
    metrics: [
      ...share('style', 'keep the rules of their style', keepsStyle, { min: 1 }),
      ...share('grounded', 'name a detail of the profile', isGrounded, { min: 0.97 }),
      ...share('invented', 'name or claim what nobody said', invents, { max: 0.03 }),
      ...share('length', 'are of a sendable length', hasLength, { min: 1 }),
      ...share('safe', 'are safe and silent on looks', isSafe, { min: 1 }),
      ...share('copied', 'nearly copy a training text', ({ text }) => isCopy(text), {
        max: 0.02,
      }),
      ...share('alike', 'nearly copy another of the answer', isAlike, { max: 0 }),
      metricOf('distinct_2', 'different pairs of words, of all (distinct-2)', {
        rows: released.map(({ text }) => text),
        statistic: distinctPairs,
      }),
      metricOf('same_beginning', 'begin with the same four words as one to somebody else', {
        rows: released,
        statistic: (some) => mean(markSameBeginnings(some)),
        unit: 'share',
      }),
      shareOf('unavailable', 'calls answered with 503', {
        rows: statuses,
        holds: (status) => status === 503,
        seed,
        target: { max: 0.01 },
      }),
      shareOf('complete', `answers with all ${COUNT} openers`, {
        rows: answered,
        holds: (count) => count === COUNT,
        seed,
      }),
      metricOf('candidates', 'candidates a call', {
        rows: candidates,
        statistic: mean,
        seed,
      }),
      metricOf('milliseconds', 'median time', {
        rows: times,
        statistic: median,
        unit: 'milliseconds',
        seed,
      }),
      ...(await measurePerplexity(task, judge, {
        perplexity: { title: 'perplexity', rows: released },
        first_perplexity: { title: 'first candidates: perplexity', rows: first },
        written_perplexity: { title: 'written by hand: perplexity', rows: writtenByHand(pairs) },
      })),
    ],
    plots: [],
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

/**
 * @param {import('./all-measures.js').Task} task
 * @param {import('../perplexity.js').PerplexityJudge} judge
 * @param {Record<string, { title: string, rows: readonly { text: string, facts: unknown }[] }>} sets - by name of the metric
 */
async function measurePerplexity({ perplexityBy, progress, seed }, judge, sets) {
  const metrics = []
  for (const [name, { title, rows }] of Object.entries(sets)) {
    const judged = []
    for (const { text, facts } of progress(rows)) {
      judged.push({ ...(await judge.judge(text)), facts })
    }
    metrics.push(
      metricOf(name, `${title} (${perplexityBy} without adapter)`, {
        rows: judged,
        statistic: perplexityOf,
        groupOf: ({ facts }) => facts,
        seed,
      }),
    )
  }
  return metrics
}

function writtenByHand(/** @type {readonly import('../read-profiles.js').Pair[]} */ pairs) {
  return pairs.flatMap((facts) => Object.values(facts.openers).map((text) => ({ text, facts })))
}

/** @returns {OpenerFacts} */
function factsOf(
  /** @type {import('../read-profiles.js').Pair} */ { sender, recipient },
  /** @type {{ photo_elements: string[], likes: string[], sender_likes: string[], common_ground: string[] }} */ facts,
) {
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

/** Openers of one answer have their facts in common. */
function answerOf(/** @type {Row} */ { facts }) {
  return facts
}

/** @returns {Row[]} */
function rowsOf(/** @type {readonly Candidate[]} */ texts, /** @type {OpenerFacts} */ facts) {
  return texts.map(({ text, style, beginning }) => ({
    text,
    style,
    beginning,
    facts,
    others: texts.map((other) => other.text).filter((other) => other !== text),
  }))
}

/**
 * The openers of an answer as the candidates that they were.
 * @param {any} body
 * @returns {Candidate[]}
 */
function releasedOf({ openers, explain }) {
  return openers.map((/** @type {Candidate} */ { style, text }) =>
    explain.candidates.find(
      (/** @type {Candidate} */ candidate) => candidate.style === style && candidate.text === text,
    ),
  )
}

function firstOfEachStyle(/** @type {readonly Candidate[]} */ candidates) {
  const seen = new Set()
  return candidates.filter(({ style }) => !seen.has(style) && seen.add(style))
}
