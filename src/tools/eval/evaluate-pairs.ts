import type { MatchResponse } from '../../match/match-contract.js'
import type { Pair, Person } from './read-profiles.js'
import { matchBody } from './request-bodies.js'
import type { Reply, ServiceUnderTest } from './service-under-test.js'

export type MatchReply = Reply<MatchResponse>

/** A pair with the replies of the service to three match calls. */
export interface EvaluatedPair {
  pair: Pair
  /** With the labelled preferences. */
  given: MatchReply
  /** The same with sender and recipient exchanged. */
  swapped: MatchReply
  /** Without preferences, so that the service infers them. */
  inferred: MatchReply
}

/** Evaluates every pair three times. */
export async function evaluatePairs(
  service: ServiceUnderTest,
  pairs: Iterable<Pair>,
): Promise<EvaluatedPair[]> {
  const evaluate = (a: Person, b: Person, options: { withPreferences: boolean }) =>
    service.post('/v1/match/evaluate', matchBody(a, b, options))
  const evaluated: EvaluatedPair[] = []
  for (const pair of pairs) {
    const { sender, recipient } = pair
    const given = await evaluate(sender, recipient, { withPreferences: true })
    const swapped = await evaluate(recipient, sender, { withPreferences: true })
    const inferred = await evaluate(sender, recipient, { withPreferences: false })
    evaluated.push({ pair, given, swapped, inferred })
  }
  return evaluated
}
