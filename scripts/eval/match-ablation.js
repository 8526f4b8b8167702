import { startUpCall } from '../../dist/inference/call.js'
import { PROFILE_PARTS } from '../../dist/match/profile-parts.js'
import { spearman } from '../../dist/tools/statistics/agreement.js'
import { factsOf } from './match-facts.js'

/**
 * What each part of a profile carries: how much the rank correlation with the labels falls when neither profile has it.
 * @param {import('./measures/all-measures.js').Task} task
 */
export async function ablate({ service, pairs }) {
  const { pairScorer } = service.context
  const rows = []
  for (const { sender, recipient } of pairs) {
    const facts = /** @type {const} */ ([factsOf(sender), factsOf(recipient)])
    const { compatibility: logit } = await pairScorer.score(facts, startUpCall())
    rows.push({ logit, parts: await pairScorer.measureContributions(facts, startUpCall()) })
  }
  const labels = pairs.map(({ match }) => match.confidence)
  const whole = spearman(
    rows.map(({ logit }) => logit),
    labels,
  )
  return PROFILE_PARTS.map((part, i) => ({
    name: part,
    value:
      whole -
      spearman(
        rows.map(({ logit, parts }) => logit - (parts[i]?.contribution ?? 0)),
        labels,
      ),
  }))
}
