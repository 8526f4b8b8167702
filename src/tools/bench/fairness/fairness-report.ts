import type { PhaseRatios } from './compare-phases.js'
import { NOISE_MARGIN, TARGETS } from './compare-phases.js'
import { formatTable, type Print, type Report } from '../report/publish.js'
import type { AttackResult } from './attack-result.js'

export interface FairnessReport extends Report {
  /** Calls a second of the victim's mix that the service answers when nobody else asks, and every client asks again at once. */
  capacityPerSecond: number
  victim: { clients: number; perSecond: number; secondsOfPhase: number; rounds: number }
  attacks: AttackResult[]
}

/** Prints a table of what the victim kept, and one of what the attackers got. */
export function printFairness(report: FairnessReport, print: Print): void {
  const { capacityPerSecond, victim, attacks } = report
  print(`\nThe service alone answers ${capacityPerSecond} calls a second of the victim's mix.`)
  print(`The victim asks for ${victim.perSecond} with ${victim.clients} clients.\n`)
  print(formatTable(attacks.map(toVictimRow)))
  print('\nWhat the attackers got\n')
  print(formatTable(attacks.map(toAttackerRow)))
  const noise = attacks.map(({ quietRatios }) => quietRatios)
  print(`\nQuiet phases to the ones before: ${formatRange(noise, 'throughput')} of the throughput,`)
  print(`${formatRange(noise, 'p50')} of the p50, ${formatRange(noise, 'p99')} of the p99.`)
  print(`\n${describeTargets()}`)
}

function toVictimRow({ attack, quiet, attacked, ratios, verdict }: AttackResult) {
  return {
    attack,
    calls: attacked.calls,
    'served /s': `${quiet.servedPerSecond} → ${attacked.servedPerSecond}`,
    throughput: ratios.throughput,
    'p50, ms': `${quiet.p50Ms} → ${attacked.p50Ms}`,
    'p99, ms': `${quiet.p99Ms} → ${attacked.p99Ms}`,
    p99: ratios.p99,
    'not served': formatCounts(attacked.notServed),
    'healthz, longest, ms': `${quiet.healthMaxMs} → ${attacked.healthMaxMs}`,
    verdict,
  }
}

function toAttackerRow({
  attack,
  describe,
  outcomes,
  attackerCores,
  longestRecoverySeconds,
}: AttackResult) {
  return {
    attack,
    'what it sends': describe,
    requests: Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    'answers by status': formatCounts(outcomes),
    'cores of the attacker': attackerCores,
    'calm after, s': longestRecoverySeconds,
  }
}

function formatCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([outcome, count]) => `${count} × ${outcome}`)
  return parts.join(', ') || 'none'
}

function formatRange(ratios: readonly PhaseRatios[], field: keyof PhaseRatios): string {
  const values = ratios.map((ratio) => ratio[field])
  return `${Math.min(...values)} to ${Math.max(...values)}`
}

function describeTargets(): string {
  const { minThroughputRatio, maxP99Ratio, maxHealthMs } = TARGETS
  const { throughputRatio, p99Ratio, healthMs } = NOISE_MARGIN
  return [
    `Held: throughput at least ${minThroughputRatio}, p99 at most ${maxP99Ratio}, healthz within ${maxHealthMs} ms.`,
    `Within noise: throughput at least ${minThroughputRatio - throughputRatio}, p99 at most ${maxP99Ratio + p99Ratio}, healthz within ${maxHealthMs + healthMs} ms.`,
  ].join(' ')
}
