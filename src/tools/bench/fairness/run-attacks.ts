import { setTimeout as sleep } from 'node:timers/promises'
import { roundTo } from '../../../text/round-to.js'
import type { Attack } from './attack.js'
import type { AttackInput, AttackOutput } from './attack-process.js'
import { startChildTask } from './child-task.js'
import {
  judge,
  ratiosOf,
  summarizePhases,
  type Phase,
  type PhaseRatios,
  type PhaseSummary,
  type Verdict,
} from './compare-phases.js'
import type { FairnessService } from './fairness-service.js'
import { waitUntilCalm } from './fairness-service.js'
import type { HealthSummary } from './health-probe.js'
import { runPacedClients, type PacedLoad } from './paced-clients.js'

const ATTACK_PROCESS = new URL('./attack-process.js', import.meta.url)
const HEALTH_PROBE_PROCESS = new URL('./health-probe-process.js', import.meta.url)
/** The attack goes on for so long before the victim is measured. */
const BUILD_UP_MS = 2_000

export interface AttackResult {
  attack: string
  describe: string
  /** Of the attacker, by status or by what else ended a request. */
  outcomes: Record<string, number>
  /** Mean number of cores that making the requests took. */
  attackerCores: number
  /** The quiet phases before and after. */
  quiet: PhaseSummary
  attacked: PhaseSummary
  ratios: PhaseRatios
  /** Of the two quiet phases, the later to the earlier: what differs without an attack. */
  quietRatios: PhaseRatios
  /** Until no call was in progress after the attack; undefined if it took half a minute, and the service was started anew. */
  recoverySeconds: number | undefined
  verdict: Verdict
}

interface AttackRun {
  load: PacedLoad
  /** Starts another service with the same load. */
  restart: (service: FairnessService) => Promise<FairnessService>
}

/**
 * Measures the victim alone, under an attack, alone, under the next attack and so on. Each attack is compared with the quiet
 * phases on both sides of it, so that a machine that becomes slower or faster affects both.
 */
export async function runAttacks(
  service: FairnessService,
  attacks: readonly Attack[],
  { load, restart }: AttackRun,
): Promise<AttackResult[]> {
  const results: AttackResult[] = []
  let current = service
  let before = await measurePhase(current, load)
  for (const { name, describe } of attacks) {
    const { attacker, attacked } = await measureAttack(current, name, load)
    const recoverySeconds = await waitUntilCalm(current)
    if (recoverySeconds === undefined) current = await restart(current)
    const after = await measurePhase(current, load)
    const quiet = summarizePhases([before, after])
    const summary = summarizePhases([attacked])
    const ratios = ratiosOf(summary, quiet)
    results.push({
      attack: name,
      describe,
      outcomes: attacker.outcomes,
      attackerCores: roundTo(attacker.cores, 2),
      quiet,
      attacked: summary,
      ratios,
      quietRatios: ratiosOf(summarizePhases([after]), summarizePhases([before])),
      recoverySeconds: recoverySeconds && roundTo(recoverySeconds, 1),
      verdict: judge(ratios, summary),
    })
    console.error(`▸ ${name}: ${results.at(-1)!.verdict}`)
    before = after
  }
  return results
}

async function measureAttack(
  service: FairnessService,
  name: AttackInput['name'],
  load: PacedLoad,
): Promise<{ attacker: AttackOutput; attacked: Phase }> {
  const input: AttackInput = { name, target: service.attacker }
  const attack = await startChildTask<AttackOutput>(ATTACK_PROCESS, input)
  await sleep(BUILD_UP_MS)
  const attacked = await measurePhase(service, load)
  return { attacker: await attack.stop(), attacked }
}

async function measurePhase({ victim }: FairnessService, load: PacedLoad): Promise<Phase> {
  const probe = await startChildTask<HealthSummary>(HEALTH_PROBE_PROCESS, victim.baseUrl)
  const calls = await runPacedClients(victim, load)
  return { seconds: load.seconds, calls, health: await probe.stop() }
}
