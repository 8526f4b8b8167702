import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../environment/service-process.js'
import { createRealBody, createSyntheticBody } from './call-bodies.js'
import { Partner, type PartnerAnswer } from './partner.js'
import type { Ledger } from './ledger.js'

const PAUSE_MS = 20
/** Nobody hammers a service that refuses; long enough to keep the numbers readable. */
const PAUSE_AFTER_REFUSAL_MS = 100
const EVENTS_IN_BATCH = 10

export interface TrafficOptions {
  /** Real calls need the models; the others measure the bookkeeping alone. */
  isReal?: boolean
}

/** What the partners saw. */
export class TrafficSummary {
  /** How many answers of each kind, such as `503 storage_unavailable`. */
  readonly outcomes = new Map<string, number>()
  /** Refusals that do not say when to try again. */
  withoutRetryAfter = 0
  slowestMs = 0
  /** The liveness probe: one request after the other, all the time. */
  slowestHealthMs = 0
  failedHealth = 0
  readonly readiness = new Set<number>()

  add(answer: PartnerAnswer, tookMs: number): void {
    this.outcomes.set(answer.outcome, this.count(answer.outcome) + 1)
    if (answer.status === 503 && answer.retryAfter === null) this.withoutRetryAfter++
    this.slowestMs = Math.max(this.slowestMs, tookMs)
  }

  addAll({ outcomes }: TrafficSummary): void {
    for (const [outcome, count] of outcomes) {
      this.outcomes.set(outcome, this.count(outcome) + count)
    }
  }

  count(outcome: string): number {
    return this.outcomes.get(outcome) ?? 0
  }

  /** Whether anything was refused or failed. */
  get hasRefusal(): boolean {
    return [...this.outcomes.keys()].some((outcome) => outcome !== '200')
  }

  /** `200 ×41, 503 storage_unavailable ×12`. */
  toString(): string {
    const counts = [...this.outcomes].sort(([, left], [, right]) => right - left)
    return counts.map(([outcome, count]) => `${outcome} ×${count}`).join(', ') || 'no calls'
  }
}

/** Calls, events and probes without a pause, until it is stopped. */
export class Traffic {
  readonly summary = new TrafficSummary()
  readonly #partner: Partner
  readonly #service: ServiceProcess
  readonly #isReal: boolean
  readonly #loops: Promise<unknown>
  #isStopped = false

  constructor(service: ServiceProcess, ledger: Ledger, { isReal = false }: TrafficOptions = {}) {
    this.#service = service
    this.#partner = new Partner(service, ledger)
    this.#isReal = isReal
    this.#loops = Promise.all([
      this.#repeat(() => this.#call()),
      this.#repeat(() => this.#call()),
      this.#repeat(() => this.#report()),
      this.#repeat(() => this.#probe()),
    ])
  }

  /** Waits for the answers in flight. */
  async stop(): Promise<TrafficSummary> {
    this.#isStopped = true
    await this.#loops
    return this.summary
  }

  async #repeat(send: () => Promise<boolean>): Promise<void> {
    while (!this.#isStopped) {
      const isRefused = await send()
      await sleep(isRefused ? PAUSE_AFTER_REFUSAL_MS : PAUSE_MS)
    }
  }

  async #call(): Promise<boolean> {
    const createBody = this.#isReal ? createRealBody : createSyntheticBody
    const call = this.#partner.ledger.nextCall(createBody, this.#isReal)
    return this.#measure(() => this.#partner.call(call))
  }

  async #report(): Promise<boolean> {
    const batch = this.#partner.ledger.nextBatch(EVENTS_IN_BATCH)
    return batch !== undefined && this.#measure(() => this.#partner.report(batch))
  }

  /** Returns whether the service refused. */
  async #measure(send: () => Promise<PartnerAnswer>): Promise<boolean> {
    const startedAt = performance.now()
    const answer = await send()
    this.summary.add(answer, performance.now() - startedAt)
    return answer.status !== 200
  }

  async #probe(): Promise<boolean> {
    const startedAt = performance.now()
    const status = await this.#service.probe('/healthz')
    const tookMs = performance.now() - startedAt
    if (status !== 200) this.summary.failedHealth++
    else this.summary.slowestHealthMs = Math.max(this.summary.slowestHealthMs, tookMs)
    this.summary.readiness.add(await this.#service.readiness())
    return false
  }
}
