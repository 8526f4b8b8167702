import type { EngineFailure } from './engine-error.js'

/** What metrics show of the engines of one setting, by their number there, from 1: addresses may be private. */
export interface EngineReport {
  onEvent: (engine: number, event: 'ready' | 'ejected') => void
  /** Called when an engine has answered a request or failed to; not when the caller left. */
  onAttempt: (engine: number, outcome: 'answered' | EngineFailure, tookMs: number) => void
  /** Called when a request is sent a second time. */
  onRetry: () => void
}

/** An engine at present. */
export interface EngineLoad {
  isServing: boolean
  /** Requests of this process to it. */
  inFlight: number
}
