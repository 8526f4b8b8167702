import type { Capability } from '../../../organizations/capability.js'
import type { ServiceAddress } from '../service/start-service.js'
import type { AttackName } from './attack-names.js'

/** A service and the key of the organisation that attacks it. */
export interface AttackTarget extends ServiceAddress {
  /** What the plan of that organisation allows. */
  requestsPerMinute: Record<Capability, number>
}

/** One way to harm others with a valid key, or with none. */
export interface Attack {
  name: AttackName
  /** What the attacker does, as a table cell. */
  describe: string
  /** Prepares the attack, begins it, and resolves while it goes on. */
  start(target: AttackTarget, outcomes: Outcomes): Promise<StopAttack> | StopAttack
}

/** Ends an attack and closes its connections. */
export type StopAttack = () => void

/** What became of the requests of an attacker. */
export class Outcomes {
  readonly #counts = new Map<string, number>()

  /** @param outcome - status of an answer, or what else ended a request */
  count(outcome: string | number, requests = 1): void {
    if (requests === 0) return
    this.#counts.set(String(outcome), (this.#counts.get(String(outcome)) ?? 0) + requests)
  }

  /** Number of requests by outcome. */
  toJson(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }
}
