import type { Log } from '../../../telemetry/log.js'
import type { Answerer } from '../../workers/answer-questions.js'
import type { WorkerEvent } from '../../workers/worker-supervisor.js'
import type { PoolTimes } from '../pooled-engine.js'
import type { EngineLoad, EngineReport } from '../engine-report.js'
import type { EngineQuestion } from '../engine-question.js'
import { createKServeEngine, type KServeEngine } from './kserve-engine.js'

export interface WorkerEnginesOptions {
  urls: readonly string[]
  apiKey: string | undefined
  concurrency: number
  log: Log
  report?: EngineReport | undefined
  times?: Partial<PoolTimes> | undefined
}

/** The engines of the vision worker, through its restarts and swaps: each process describes its models anew. */
export interface WorkerEngines {
  openAnswerer: () => Answerer
  /** Follows the worker: after `started` and `swapped`, the newest process serves. */
  onEvent: (event: WorkerEvent) => void
  /** Why the serving worker has no engine; undefined when it has, and while no worker serves. */
  problem: () => string | undefined
  /** Engines that serve, of all. */
  serving: () => { count: number; of: number }
  load: () => EngineLoad[]
}

export function createWorkerEngines(options: WorkerEnginesOptions): WorkerEngines {
  let newest: KServeEngine | undefined
  let current: KServeEngine | undefined
  return {
    openAnswerer: () => {
      const engine = createKServeEngine(options)
      newest = engine
      return {
        answer: (question, signal) => engine.answer(question as EngineQuestion, signal),
        close: () => {
          engine.close()
          if (current === engine) current = undefined
        },
      }
    },
    onEvent: (event) => {
      if (event === 'started' || event === 'swapped') current = newest
    },
    problem: () => current?.problem(),
    serving: () => current?.serving() ?? { count: 0, of: options.urls.length },
    load: () => current?.load() ?? options.urls.map(() => ({ isServing: false, inFlight: 0 })),
  }
}
