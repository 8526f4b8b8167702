import type { RequestHandler } from 'express'
import type { AppContext } from '../context.js'
import type { Alive, Ready } from '../telemetry/health-contract.js'

/** `/healthz`: the process answers. Says nothing about models, so that a long load does not look hung. */
export function alive(): RequestHandler {
  return (_request, response) => {
    response.json({ status: 'alive' } satisfies Alive)
  }
}

/** `/readyz`: 200 when every model can answer and the first call need not wait, 503 until then; tells the state of each. */
export function ready(context: AppContext): RequestHandler {
  return (_request, response) => {
    const models = context.models.status()
    // An unloaded idle model comes back with the next call: it is not a reason to take traffic away.
    const haveLoaded = models.every(
      ({ state }) => state === 'ready' || state === 'unloaded' || state === 'swapping',
    )
    const isReady = haveLoaded && !context.isWarmingUp()
    const body: Ready = {
      status: isReady ? 'ready' : 'starting',
      models: models.map((model) => ({ ...model, packs: [...model.packs] })),
    }
    response.status(isReady ? 200 : 503).json(body)
  }
}
