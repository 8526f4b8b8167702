import type { Metrics } from '../telemetry/metrics.js'
import type { EngineLoad, EngineReport } from './engines/engine-report.js'
import type { WorkerRole } from './workers/protocol.js'

/**
 * Counts in the metrics what happens at the engines of a role.
 * @param load - of each engine; read before every read of the metrics
 */
export function reportEngines(
  role: WorkerRole,
  metrics: Metrics,
  load: () => readonly EngineLoad[],
): EngineReport {
  metrics.beforeRead(() => {
    load().forEach(({ isServing, inFlight }, index) => {
      const engine = index + 1
      metrics.engines.set({ role, engine, state: 'serving' }, isServing ? 1 : 0)
      metrics.engines.set({ role, engine, state: 'away' }, isServing ? 0 : 1)
      metrics.engineCalls.set({ role, engine }, inFlight)
    })
  })
  return {
    onEvent: (engine, event) => metrics.engineEvents.inc({ role, engine, event }),
    onAttempt: (engine, outcome, tookMs) =>
      metrics.engineSeconds.observe({ role, engine, outcome }, tookMs / 1_000),
    onRetry: () => metrics.engineRetries.inc({ role }),
  }
}
