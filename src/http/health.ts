import type { RequestHandler } from 'express'
import type { StorageFailure } from '../core/storage-state.js'
import type { StorageStatus } from '../database/storage-monitor.js'
import type { ModelStatus } from '../inference/open-models.js'
import type { Alive, Ready } from '../telemetry/health-contract.js'

/** `/healthz`: the process answers. It does not look at the models, so that a long load does not look like a hang. */
export function alive(): RequestHandler {
  return (_request, response) => {
    response.json({ status: 'alive' } satisfies Alive)
  }
}

export interface ReadinessParts {
  isStopping: () => boolean
  models: { status(): ModelStatus[] }
  isWarmingUp: () => boolean
  storage: { status: StorageStatus }
  /** Undefined on SQLite. */
  replica: { isPresumedDead: boolean } | undefined
}

/**
 * `/readyz`: 200 once the database can be used and every model can answer without a wait, until the service stops; otherwise
 * 503, with the state of each and the reason.
 */
export function ready({
  isStopping,
  models,
  isWarmingUp,
  storage,
  replica,
}: ReadinessParts): RequestHandler {
  return (_request, response) => {
    const states = models.status()
    const reasons = [
      ...(isStopping() ? ['the service is stopping'] : []),
      ...storageReasons(storage.status),
      ...(replica?.isPresumedDead ? ['the other replicas presume this one dead'] : []),
      ...states.flatMap(modelReasons),
      ...(isWarmingUp() ? ['the models are warming up'] : []),
    ]
    const isReady = reasons.length === 0
    const body: Ready = {
      status: isReady ? 'ready' : isStopping() ? 'stopping' : 'starting',
      ...(isReady ? {} : { reason: reasons.join('; ') }),
      storage: storage.status.state,
      models: states.map((model) => ({ ...model, packs: [...model.packs] })),
    }
    response.status(isReady ? 200 : 503).json(body)
  }
}

const STORAGE_REASONS: Record<StorageFailure, string> = {
  full: 'its disk is full',
  read_only: 'it cannot be written',
  locked: 'another program holds a lock on it',
  unreachable: 'it cannot be opened',
  io_error: 'reading or writing it failed',
  too_many_files: 'the process has no file descriptors left',
  missing: 'its files were deleted, replaced or moved',
  damaged: 'it is damaged',
}

function storageReasons({ state, code }: StorageStatus): string[] {
  if (state === 'ok') return []
  return [`the database cannot be used: ${STORAGE_REASONS[state]} (${code})`]
}

/** A model unloaded when idle comes back with the next call, so it does not count against readiness. */
function modelReasons({ role, state }: ModelStatus): string[] {
  const canAnswer = state === 'ready' || state === 'unloaded' || state === 'swapping'
  return canAnswer ? [] : [`the ${role} model is ${state}`]
}
