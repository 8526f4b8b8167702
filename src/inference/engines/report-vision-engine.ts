import type { Log } from '../../telemetry/log.js'
import type { EngineChange } from './pooled-engine.js'

/** Logs that an engine or worker at VISION_URL serves, or why it does not. */
export function reportVisionEngine(log: Log, address: string, change: EngineChange): void {
  if (change.event === 'ready') log.info('A vision engine serves', { address })
  else log.warn('A vision engine is out of service', { address, reason: change.reason })
}
