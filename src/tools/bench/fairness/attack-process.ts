import process from 'node:process'
import { Outcomes, type AttackTarget } from './attack.js'
import type { AttackName } from './attack-names.js'
import { findAttack } from './all-attacks.js'
import { serveTask } from './child-task.js'

export interface AttackInput {
  name: AttackName
  target: AttackTarget
}

export interface AttackOutput {
  /** Number of requests by status, or by what else ended them. */
  outcomes: Record<string, number>
  /** Mean number of cores that the attacker used. */
  cores: number
}

/** Runs one attack in a process of its own, so that making its requests delays neither the victim nor the probes. */
await serveTask<AttackInput, AttackOutput>(async ({ name, target }) => {
  const outcomes = new Outcomes()
  const stop = await findAttack(name).start(target, outcomes)
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(cpuBefore)
    const cores = (user + system) / 1_000 / (performance.now() - startedAt)
    stop()
    return { outcomes: outcomes.toJson(), cores }
  }
})
