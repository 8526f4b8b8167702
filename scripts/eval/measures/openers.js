import path from 'node:path'
import {
  MAX_CHARACTERS,
  MAX_DIRECT_CHARACTERS,
  MIN_CHARACTERS,
} from '../../../dist/openers/checks/check-opener.js'
import { claimsUnknown } from '../../../dist/openers/checks/claims.js'
import { listStrangers } from '../../../dist/openers/checks/details.js'
import { inventsName, inventsNumber } from '../../../dist/openers/checks/names-and-numbers.js'
import { recipientStems } from '../../../dist/openers/opener-facts.js'
import { commentsOnLooks } from '../../../dist/safety/appearance.js'
import { assessText } from '../../../dist/safety/text-safety.js'
import { contentStems, listWords } from '../../../dist/text/words.js'
import { median } from '../../statistics/quantile.js'
import { projectDir } from '../../prepare.js'
import { mean } from '../../statistics/agreement.js'
import { metricOf, shareOf } from '../metrics.js'
import { createCopyFinder } from '../near-copies.js'
import { readProfiles } from '../read-profiles.js'
import { openersBody } from '../request-bodies.js'

const COUNT = 3
const EXAMPLES = 60
const BEGINNING_WORDS = 4
/** Words that name something of which the profile says nothing. One can be a turn of phrase, more are a story. */
const MAX_STRANGERS = 1
const TRAINING = path.join(projectDir, 'examples', 'evaluation', 'training.jsonl')

/** @typedef {import('../../../dist/openers/opener-facts.js').OpenerFacts} OpenerFacts */
/** @typedef {{ style: string, text: string, beginning: string }} Candidate `beginning` as people wrote it, filled */
/** @typedef {Candidate & { facts: OpenerFacts, others: string[] }} Row */

/** What is sent, against the promises of the styles and what the profiles say. */
export const openers = {
  name: 'openers',
  title: 'Openers',
  about: `${COUNT} openers for each pair. "First candidates" are what the model wrote first for each style, before anything was chosen. Whether an opener makes sense is for people to judge: docs/evaluation.md tells how.`,
  async run(/** @type {import('./all-measures.js').Task} */ { service, pairs, progress, seed }) {
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
  },
}

/** @returns {OpenerFacts} */
function factsOf(
  /** @type {import('../read-profiles.js').Pair} */ { sender, recipient },
  /** @type {{ photo_elements: string[], likes: string[], sender_likes: string[], common_ground: string[] }} */ facts,
) {
  return {
    senderName: sender.name,
    bio: recipient.bio,
    photoElements: facts.photo_elements,
    likes: facts.likes,
    senderLikes: facts.sender_likes,
    commonGround: facts.common_ground,
    sharedInterests: [],
  }
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

function keepsStyle(/** @type {Row} */ { text, style, facts }) {
  const asks = text.includes('?')
  switch (style) {
    case 'open_question':
      return asks
    case 'photo_callback':
      return names(text, facts.photoElements)
    case 'shared_interest':
      return names(text, facts.commonGround)
    case 'confident_direct':
      return !asks && [...text].length <= MAX_DIRECT_CHARACTERS
    default:
      return !asks
  }
}

function names(/** @type {string} */ text, /** @type {readonly string[]} */ entries) {
  const stems = contentStems(text)
  return [...contentStems(entries.join(' . '))].some((stem) => stems.has(stem))
}

function isGrounded(/** @type {Row} */ { text, facts }) {
  const known = recipientStems(facts)
  return [...contentStems(text)].some((stem) => known.has(stem))
}

/** In what the model chose: what people wrote to begin with is the same whatever the profile. */
function invents(/** @type {Row} */ { text, beginning, facts }) {
  const own = text.startsWith(beginning) ? text.slice(beginning.length) : text
  return (
    inventsName(text, facts, beginning) ||
    inventsNumber(text, facts) ||
    claimsUnknown(own, facts) ||
    listStrangers(text, facts, beginning).length > MAX_STRANGERS
  )
}

function hasLength(/** @type {Row} */ { text }) {
  return [...text].length >= MIN_CHARACTERS && [...text].length <= MAX_CHARACTERS
}

function isSafe(/** @type {Row} */ { text }) {
  return assessText(text, 'generated').safe && !commentsOnLooks(text)
}

function isAlike(/** @type {Row} */ { text, others }) {
  return createCopyFinder(others)(text)
}

/** One for each opener whose first words open a message to another person too, else zero. */
function markSameBeginnings(/** @type {readonly Row[]} */ rows) {
  const keys = rows.map(({ text }) => listWords(text).slice(0, BEGINNING_WORDS).join(' '))
  return rows.map(({ facts }, i) =>
    Number(rows.some((other, k) => keys[k] === keys[i] && other.facts !== facts)),
  )
}

function distinctPairs(/** @type {readonly string[]} */ texts) {
  const pairs = texts.flatMap((text) => {
    const words = listWords(text)
    return words.slice(1).map((word, i) => `${words[i]} ${word}`)
  })
  return new Set(pairs).size / pairs.length
}
