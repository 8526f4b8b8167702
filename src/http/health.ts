import type { RequestHandler } from 'express'
import type { ModelStatus } from '../inference/open-models.js'
import type { Alive, Ready } from '../telemetry/health-contract.js'

/** `/healthz`: the process answers. It does not look at the models, so that a long load does not look like a hang. */
export function alive(): RequestHandler {
  return (_request, response) => {
    response.json({ status: 'alive' } satisfies Alive)
  }
}

export interface ReadinessParts {
  models: { status(): ModelStatus[] }
  isWarmingUp: () => boolean
}

/** `/readyz`: 200 once every model can answer without a wait, 503 until then, with the state of each model. */
export function ready({ models, isWarmingUp }: ReadinessParts): RequestHandler {
  return (_request, response) => {
    const states = models.status()
    // A model unloaded when idle comes back with the next call, so it does not count against readiness.
    const haveLoaded = states.every(
      ({ state }) => state === 'ready' || state === 'unloaded' || state === 'swapping',
    )
    const isReady = haveLoaded && !isWarmingUp()
    const body: Ready = {
      status: isReady ? 'ready' : 'starting',
      models: states.map((model) => ({ ...model, packs: [...model.packs] })),
    }
    response.status(isReady ? 200 : 503).json(body)
  }
}
