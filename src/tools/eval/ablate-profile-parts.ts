import { startUpCall } from '../../inference/inference-call.js'
import type { PairScorer } from '../../match/pair-scorer.js'
import { PROFILE_PARTS } from '../../match/profile-parts.js'
import { spearman } from '../statistics/agreement.js'
import { personFactsOf } from './person-facts.js'
import type { Pair } from './read-profiles.js'

/** How much the rank correlation with the labels falls without one part of both profiles, for each part. */
export async function ablateProfileParts(
  pairScorer: PairScorer,
  pairs: readonly Pair[],
): Promise<{ name: string; value: number }[]> {
  const rows: { logit: number; contributions: number[] }[] = []
  for (const { sender, recipient } of pairs) {
    const facts = [personFactsOf(sender), personFactsOf(recipient)] as const
    const { compatibility } = await pairScorer.score(facts, startUpCall())
    const parts = await pairScorer.measureContributions(facts, startUpCall())
    rows.push({
      logit: compatibility,
      contributions: parts.map(({ contribution }) => contribution),
    })
  }
  const labels = pairs.map(({ match }) => match.confidence)
  const correlate = (logits: readonly number[]) => spearman(logits, labels)
  const whole = correlate(rows.map(({ logit }) => logit))
  return PROFILE_PARTS.map((name, i) => ({
    name,
    value: whole - correlate(rows.map(({ logit, contributions }) => logit - contributions[i]!)),
  }))
}
