import { startUpCall } from '../../dist/inference/call.js'
import { judgeMatch, weighParts } from '../../dist/match/judge-match.js'
import { PROFILE_PARTS } from '../../dist/match/profile-text.js'
import { spearman } from '../statistics/agreement.js'
import { factsOf } from './match-facts.js'

/**
 * What each part of a profile carries: how much the rank correlation with the labels falls when neither profile has it.
 * @param {import('./measures/all-measures.js').Task} task
 */
export async function ablate({ service, pairs }) {
  const { vision } = service.context
  const rows = []
  for (const { sender, recipient } of pairs) {
    const facts = /** @type {const} */ ([factsOf(sender), factsOf(recipient)])
    const judgement = await judgeMatch(facts, vision, startUpCall())
    const parts = await weighParts(facts, judgement, vision, startUpCall())
    rows.push({ logit: judgement.compatibility, parts })
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
