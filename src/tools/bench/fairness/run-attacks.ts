import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.js'
import type { AttackInput, AttackOutput } from './attack-process.js'
import { summarizeAttack, type AttackResult, type AttackRound } from './attack-result.js'
import { startChildTask } from './child-task.js'
import { summarizePhases, type Phase } from './compare-phases.js'
import { waitUntilCalm, type FairnessService } from './fairness-service.js'
import type { HealthSummary } from './health-probe.js'
import { runPacedClients, type PacedLoad } from './paced-clients.js'

const ATTACK_PROCESS = new URL('./attack-process.js', import.meta.url)
const HEALTH_PROBE_PROCESS = new URL('./health-probe-process.js', import.meta.url)
/** The attack goes on for so long before the victim is measured. */
const BUILD_UP_MS = 2_000

interface AttackRun {
  load: PacedLoad
  rounds: number
  /** Replaces a service that does not recover; the load asks the new one from then on. */
  restart: (service: FairnessService) => Promise<FairnessService>
}

/**
 * Measures the victim alone, under an attack, alone, under the next attack and so on. Each attack is compared with the quiet
 * phases on both sides of it, so that a machine that becomes slower or faster affects both.
 */
export async function runAttacks(
  service: FairnessService,
  attacks: readonly Attack[],
  { load, rounds, restart }: AttackRun,
): Promise<AttackResult[]> {
  const roundsOf = new Map(attacks.map((attack): [Attack, AttackRound[]] => [attack, []]))
  let current = service
  let before = await measurePhase(current, load)
  for (let round = 0; round < rounds; round++) {
    for (const [attack, measured] of roundsOf) {
      const { attacker, attacked } = await measureAttack(current, attack.name, load)
      const recoverySeconds = await waitUntilCalm(current)
      if (recoverySeconds === undefined) current = await restart(current)
      const after = await measurePhase(current, load)
      measured.push({ before, attacked, after, attacker, recoverySeconds })
      const { servedPerSecond } = summarizePhases([attacked])
      console.error(`▸ ${attack.name}: ${servedPerSecond} of the victim's calls a second`)
      before = after
    }
  }
  return [...roundsOf].map(([attack, measured]) => summarizeAttack(attack, measured))
}

async function measureAttack(
  service: FairnessService,
  name: AttackInput['name'],
  load: PacedLoad,
): Promise<Pick<AttackRound, 'attacker' | 'attacked'>> {
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
