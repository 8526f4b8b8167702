import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../../environment/service-process.js'
import type { RestartMode } from '../environment/postgres-server.js'
import type { ReplicaFleet } from '../environment/replica-fleet.js'

const KILL_EVERY_MS = 2_000
const LOOK_EVERY_MS = 50
const READY_LIMIT_MS = 60_000

export interface Restart {
  mode: RestartMode
  /** Since the first fault could happen. */
  afterMs: number
  /** How long PostgreSQL accepted no connection. */
  awayMs: number
}

/** What was done to the replicas and to PostgreSQL. */
export interface Injected {
  kills: number
  restarts: Restart[]
}

/**
 * Kills a random replica every 2 seconds while another one serves, and restarts PostgreSQL twice: once fast in the first half of
 * `withinMs`, once immediately in the second half. A replica that has ended is started again at once, as an orchestrator does.
 * @returns ends that, when both restarts are over, and resolves when all replicas are ready
 */
export function injectFaults(
  fleet: ReplicaFleet,
  { random, withinMs }: { random: () => number; withinMs: number },
): { stop: () => Promise<Injected> } {
  const injected: Injected = { kills: 0, restarts: [] }
  let phase: 'killing' | 'recovering' | 'over' = 'killing'
  const startedAt = performance.now()

  async function kill(): Promise<void> {
    for (;;) {
      await sleep(KILL_EVERY_MS)
      if (phase !== 'killing') return
      const serving = await findReady(fleet.replicas)
      if (serving.length < 2) continue
      injected.kills++
      await serving[Math.floor(random() * serving.length)]!.kill()
    }
  }

  async function keepRunning(): Promise<void> {
    while (phase !== 'over') {
      for (const replica of fleet.replicas) if (!replica.isRunning) replica.spawn()
      await sleep(LOOK_EVERY_MS)
    }
  }

  async function restart(mode: RestartMode, afterMs: number): Promise<void> {
    await sleep(startedAt + afterMs - performance.now())
    const awayMs = await fleet.postgres.restart(mode)
    injected.restarts.push({ mode, afterMs, awayMs })
  }

  const half = withinMs / 2
  const [fastAfterMs, immediateAfterMs] = [random() * half, half + random() * half]
  const restarts = async () => {
    await restart('fast', fastAfterMs)
    await restart('immediate', immediateAfterMs)
  }
  const work = Promise.all([kill(), restarts()])
  const keeping = keepRunning()
  return {
    stop: async () => {
      phase = 'recovering'
      await work
      const ready = fleet.replicas.map((replica) => replica.waitUntilReady(READY_LIMIT_MS))
      const took = await Promise.all(ready)
      phase = 'over'
      await keeping
      if (took.includes(undefined)) throw new Error('A replica did not get ready after the faults.')
      return injected
    },
  }
}

async function findReady(replicas: readonly ServiceProcess[]): Promise<ServiceProcess[]> {
  const statuses = await Promise.all(replicas.map((replica) => replica.readiness()))
  return replicas.filter((_, index) => statuses[index] === 200)
}
