import type { Candidate } from '../assess-candidate.js'
import { checkText, checkUse, type Rejection } from '../checks/check-opener.js'
import { describeTraits } from '../describe-traits.js'
import type { OpenerFacts } from '../opener-facts.js'
import type { CandidateTraits, PolicyChoice } from '../opener-policy.js'
import { findPreferred } from '../search-limits.js'
import type { Style } from '../styles.js'
import { roundTo } from '../../text/round-to.js'
import type { Exemplar } from './exemplar-group.js'
import type { TrueExemplar } from './exemplar-library.js'

export interface ExemplarContext {
  style: Style
  facts: OpenerFacts
  /** Texts of the openers already chosen for the same answer. */
  earlier: readonly string[]
  preference: PolicyChoice['preference']
}

export interface AssessedExemplar {
  exemplar: Exemplar
  candidate: Candidate
  traits: CandidateTraits
  /** What its traits add to the log-odds of a reply; undefined while nothing learnt is used. */
  preference: number | undefined
}

/** What an exemplar costs. */
const NO_GENERATION = {
  seed: 0,
  finish_reason: 'stop',
  prompt_tokens: 0,
  cached_tokens: 0,
  generated_tokens: 0,
  duration_ms: 0,
} as const

/** Checks the form of an exemplar; that it is true is what its conditions are for. */
export function assessExemplar(
  { exemplar, odds }: TrueExemplar,
  context: ExemplarContext,
): AssessedExemplar {
  const { text } = exemplar
  const { style, earlier } = context
  const facts = withNames(context.facts, exemplar)
  const traits = { ...describeTraits(text, facts, undefined), style, length: [...text].length }
  const preference = context.preference?.(traits)
  const candidate: Candidate = {
    style,
    text,
    beginning: text,
    outcome: checkOnce(exemplar) ?? checkUse(text, { style, facts, earlier }) ?? 'passed',
    scores: {
      odds: roundTo(odds, 2),
      ...(preference !== undefined && { preference: roundTo(preference, 3) }),
    },
    ...NO_GENERATION,
  }
  return { exemplar, candidate, traits, preference }
}

const outcomes = new WeakMap<Exemplar, { rejection: Rejection | undefined }>()

/** Every call has dozens of exemplars to choose from, and whether a text is safe takes most of the time of judging it. */
function checkOnce(exemplar: Exemplar): Rejection | undefined {
  const outcome = outcomes.get(exemplar) ?? { rejection: checkText(exemplar.text) }
  outcomes.set(exemplar, outcome)
  return outcome.rejection
}

/** "Flying" names the common ground "aviation": the exemplar says so. */
function withNames(facts: OpenerFacts, { sharedStems }: Exemplar): OpenerFacts {
  if (sharedStems.size === 0) return facts
  return { ...facts, commonStems: new Set([...facts.commonStems, ...sharedStems]) }
}

/**
 * The exemplar to release: one that speaks of something new where there is one, by preference, then in their order.
 * @param usedSubjects - what the exemplars already in the answer speak of
 */
export function chooseExemplar(
  assessed: readonly AssessedExemplar[],
  usedSubjects: ReadonlySet<string>,
): AssessedExemplar | undefined {
  const passed = assessed.filter(({ candidate }) => candidate.outcome === 'passed')
  const fresh = passed.filter(({ exemplar }) => !speaksOf(exemplar, usedSubjects))
  return findPreferred(fresh) ?? findPreferred(passed)
}

/** Whether it speaks of one of these subjects. */
export function speaksOf({ subjects }: Exemplar, used: ReadonlySet<string>): boolean {
  return subjects.some((subject) => used.has(subject))
}
