import type { FaultEnvironment } from './environment/fault-environment.js'

/** What one fault did: a row of the table in docs/reliability.md. */
export interface OutcomeRow {
  fault: string
  /** How the fault is injected. */
  injection: string
  /** What partners see while it lasts. */
  partners: string
  /** What log, readiness and doctor report. */
  operator: string
  recovery: string
  /** Records that the service acknowledged in this scenario: events, answered calls, keys. */
  acknowledged: number
  /** Acknowledged records that are missing after the recovery. */
  lost: number
  /** Where the service does not behave as it should; empty when the fault was survived. */
  deviations: string[]
}

/** One fault, or several that need the same preparation. */
export interface Scenario {
  /** For `--only`. */
  name: string
  /** Part of the short selection that runs in CI. */
  isInSelection: boolean
  /** @throws SkippedScenario where the platform does not allow the fault */
  run(environment: FaultEnvironment): Promise<OutcomeRow[]>
}
