import { LRUCache } from 'lru-cache'
import type { EventScope } from '../events/event-scope.js'
import { describeError, type Log } from '../telemetry/log.js'
import type { Metrics } from '../telemetry/metrics.js'
import { isDue, learnEnvironment, type LearnDeps, type Learnt } from './learn-environment.js'

/** Environments kept in memory; one takes about a megabyte. Others are read again when they are used. */
const MAX_ENVIRONMENTS = 100

export interface LearntEnvironmentsDeps extends LearnDeps {
  log: Log
  metrics: Pick<Metrics, 'learningFits' | 'learningLastFit' | 'learningNegative'>
  /** Milliseconds since the epoch. */
  clock: () => number
}

interface Entry {
  /** Undefined before the first reading has ended. */
  learnt: Learnt | undefined
  /** The reading that runs, at most one. */
  reading: Promise<Learnt> | undefined
  /** When the last reading began, in milliseconds since the epoch. */
  readAt: number
}

/**
 * What this process knows of the environments in use. The first call of an environment waits until it is read; after that it
 * is read again in the background, and calls get what was known before.
 */
export class LearntEnvironments {
  readonly #deps: LearntEnvironmentsDeps
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENVIRONMENTS })
  readonly #running = new Set<Promise<unknown>>()
  #isFailing = false

  constructor(deps: LearntEnvironmentsDeps) {
    this.#deps = deps
  }

  /** @throws what reading throws, as long as nothing is known */
  find(scope: EventScope): Learnt | Promise<Learnt> {
    const entry = this.#entries.get(keyOf(scope)) ?? this.#add(scope)
    if (!entry.learnt) return entry.reading ?? this.#start(scope, entry)
    if (!entry.reading && isDue(entry.readAt, this.#deps.clock())) void this.#start(scope, entry)
    return entry.learnt
  }

  /** The next call reads the environment again, and waits for it. */
  forget(scope: EventScope): void {
    this.#entries.delete(keyOf(scope))
  }

  /** Waits for the readings that run. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  #add(scope: EventScope): Entry {
    const entry: Entry = { learnt: undefined, reading: undefined, readAt: 0 }
    this.#entries.set(keyOf(scope), entry)
    return entry
  }

  #start(scope: EventScope, entry: Entry): Promise<Learnt> {
    entry.readAt = this.#deps.clock()
    const reading = this.#read(scope, entry).finally(() => (entry.reading = undefined))
    entry.reading = reading
    // A failure is reported in `#read`; whoever waits gets it too.
    const running = reading.catch(() => {}).finally(() => this.#running.delete(running))
    this.#running.add(running)
    return reading
  }

  async #read(scope: EventScope, entry: Entry): Promise<Learnt> {
    const before = entry.learnt
    try {
      const learnt = await learnEnvironment(this.#deps, { scope, before, now: entry.readAt })
      entry.learnt = learnt
      if (learnt.fittedAt !== before?.fittedAt) this.#reportFit(scope, { learnt, before })
      this.#reportSuccess()
      return learnt
    } catch (error) {
      this.#reportFailure(scope, error)
      throw error
    }
  }

  #reportFit(
    { environment, organizationId }: EventScope,
    { before, learnt }: { before: Learnt | undefined; learnt: Learnt },
  ): void {
    const { metrics, log } = this.#deps
    metrics.learningFits.inc({ environment, outcome: 'fitted' })
    metrics.learningLastFit.set({ environment }, learnt.fittedAt / 1_000)
    const harmful = [...this.#entries.values()].filter((entry) => entry.learnt?.isHarmful)
    metrics.learningNegative.set(harmful.length)
    if (learnt.isHarmful && !before?.isHarmful) {
      log.warn('openers chosen by learning get fewer replies than those of the control group', {
        organization_id: organizationId,
        environment,
      })
    }
  }

  #reportSuccess(): void {
    if (this.#isFailing) this.#deps.log.info('what was learnt can be read again')
    this.#isFailing = false
  }

  /** Logs the first of several failures. */
  #reportFailure({ environment }: EventScope, error: unknown): void {
    const { metrics, log } = this.#deps
    metrics.learningFits.inc({ environment, outcome: 'failed' })
    if (!this.#isFailing) {
      log.error('what was learnt cannot be read; openers are chosen without', describeError(error))
    }
    this.#isFailing = true
  }
}

function keyOf({ organizationId, environment }: EventScope): string {
  return `${organizationId} ${environment}`
}
