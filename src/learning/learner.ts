import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config/config.js'
import type { EventScope } from '../events/event-scope.js'
import {
  FIXED_POLICY,
  type OpenerPolicy,
  type PolicyChoice,
  type PolicyRequest,
} from '../openers/opener-policy.js'
import { createRandom } from '../openers/random.js'
import type { ServerSecret } from '../organizations/server-secret.js'
import type { Metrics } from '../telemetry/metrics.js'
import { armOf, assignBucket } from './assign-arm.js'
import type { Learnt } from './learn-environment.js'
import type { Fit } from './start-fit-thread.js'
import { LearntEnvironments, type LearntEnvironmentsDeps } from './learnt-environments.js'

/** How long the first call of an environment waits at most for what was learnt. */
const MAX_WAIT_MS = 2_000

export interface LearnerDeps extends LearntEnvironmentsDeps {
  secret: ServerSecret
  config: Pick<Config, 'learning'>
  metrics: LearntEnvironmentsDeps['metrics'] & Pick<Metrics, 'learningCalls'>
}

/** Chooses by what each environment has learnt; never fails. */
export interface Learner extends OpenerPolicy {
  /** Applies settings that this process changed, from the next call on. */
  notice(scope: EventScope): void
  /** Computes what an environment has learnt, outside of this thread. */
  fit: Fit
  /** Waits for what runs in the background. */
  close(): Promise<void>
}

/** When the database cannot be read, openers are written as if nothing had been learnt. */
export function createLearner(deps: LearnerDeps): Learner {
  const environments = new LearntEnvironments(deps)
  const { isAllowed } = deps.config.learning

  async function chooseLearnt(request: PolicyRequest): Promise<PolicyChoice> {
    const found = environments.find(request)
    const learnt = found instanceof Promise ? await withinTime(found) : found
    if (learnt.settings.state === 'off') return FIXED_POLICY.choose(request)
    return choose(request, learnt, assignBucket(deps.secret, request, request.subject))
  }

  return {
    choose: async (request) => {
      const choice = isAllowed
        ? await chooseLearnt(request).catch(() => FIXED_POLICY.choose(request))
        : await FIXED_POLICY.choose(request)
      const arm = choice.selection?.arm ?? 'none'
      deps.metrics.learningCalls.inc({ environment: request.environment, arm })
      return choice
    },
    fit: deps.fit,
    notice: (scope) => environments.forget(scope),
    close: () => environments.close(),
  }
}

/** @throws Error when the time is over */
async function withinTime<T>(promise: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const late = delay(MAX_WAIT_MS, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new Error('What was learnt could not be read in time.')
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    timer.abort()
  }
}

function choose(
  { requestId, tone, styles }: PolicyRequest,
  { policy, settings }: Learnt,
  bucket: number,
): PolicyChoice {
  const arm = armOf(bucket, settings.controlPercent)
  if (arm === 'control') {
    return { styles, selection: { arm, bucket, styles, probabilities: null } }
  }
  const order = policy.order(tone, styles, createRandom(['order of styles', requestId]))
  const preference = policy.preference(createRandom(['preference', requestId]))
  return { styles: order.styles, preference, selection: { arm, bucket, ...order } }
}
