import { roundTo } from '../../../text/round-to.js'
import { mean } from '../../statistics/agreement.js'
import type { Attack } from './attack.js'
import type { AttackOutput } from './attack-process.js'
import {
  judge,
  ratiosOf,
  summarizePhases,
  type Phase,
  type PhaseRatios,
  type PhaseSummary,
  type Verdict,
} from './compare-phases.js'

/** One round of an attack: the victim alone, under the attack, and alone again. */
export interface AttackRound {
  before: Phase
  attacked: Phase
  after: Phase
  attacker: AttackOutput
  /** Until no call was in progress after the attack; undefined if it took too long, and the service was started anew. */
  recoverySeconds: number | undefined
}

/** What the rounds of an attack showed together. */
export interface AttackResult {
  attack: string
  describe: string
  /** Of the attacker, by status or by what else ended a request. */
  outcomes: Record<string, number>
  /** Mean number of cores that making the requests took. */
  attackerCores: number
  quiet: PhaseSummary
  attacked: PhaseSummary
  ratios: PhaseRatios
  /** The quiet phases after the attack to those before it: what differs without an attack. */
  quietRatios: PhaseRatios
  longestRecoverySeconds: number | undefined
  verdict: Verdict
}

export function summarizeAttack(
  { name, describe }: Attack,
  rounds: readonly AttackRound[],
): AttackResult {
  const before = rounds.map((round) => round.before)
  const after = rounds.map((round) => round.after)
  const quiet = summarizePhases([...before, ...after])
  const attacked = summarizePhases(rounds.map((round) => round.attacked))
  const ratios = ratiosOf(attacked, quiet)
  const recoveries = rounds.map(({ recoverySeconds = Infinity }) => recoverySeconds)
  const longestRecovery = Math.max(...recoveries)
  return {
    attack: name,
    describe,
    outcomes: addUp(rounds.map(({ attacker }) => attacker.outcomes)),
    attackerCores: roundTo(mean(rounds.map(({ attacker }) => attacker.cores)), 2),
    quiet,
    attacked,
    ratios,
    quietRatios: ratiosOf(summarizePhases(after), summarizePhases(before)),
    longestRecoverySeconds: Number.isFinite(longestRecovery)
      ? roundTo(longestRecovery, 1)
      : undefined,
    verdict: judge(ratios, attacked),
  }
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [outcome, count] of counts.flatMap((one) => Object.entries(one))) {
    sums[outcome] = (sums[outcome] ?? 0) + count
  }
  return sums
}
