import type { Scenario } from '../scenario.js'
import { oneExecution } from './scenarios/one-execution.js'
import { quotaUnderKills } from './scenarios/quota-under-kills.js'
import { rateWithClocks } from './scenarios/rate-with-clocks.js'
import { startAtOnce, startThroughPooler } from './scenarios/start-at-once.js'

/** Faults of several replicas on PostgreSQL, in the order of the table. */
export const REPLICA_SCENARIOS: readonly Scenario[] = [
  quotaUnderKills,
  rateWithClocks,
  oneExecution,
  startAtOnce,
  startThroughPooler,
]
