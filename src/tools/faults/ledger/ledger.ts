import { createHash, randomUUID } from 'node:crypto'

/** A call with an idempotency key. `answer` is set once the service has acknowledged it. */
export interface LedgerCall {
  idempotencyKey: string
  body: string
  /** Real calls must not be answered with synthetic data. */
  isReal: boolean
  answer?: string
}

/** A batch of events, identified by their idempotency keys. */
export interface LedgerBatch {
  body: string
  size: number
  isAcknowledged: boolean
}

const MAX_OPEN = 12

/** Everything that a partner and an operator sent, and what the service acknowledged. */
export class Ledger {
  readonly calls: LedgerCall[] = []
  readonly batches: LedgerBatch[] = []
  /** API keys that the service showed. */
  readonly keys: string[] = []
  #lastRequestId: string | undefined
  #turn = 0

  /** A new call; an earlier one without an answer once many are open, as a partner who tries again. */
  nextCall(createBody: () => string, isReal: boolean): LedgerCall {
    const open = this.calls.filter(({ answer }) => answer === undefined)
    const oldest = open[this.#turn++ % MAX_OPEN]
    if (open.length >= MAX_OPEN && oldest) return oldest
    const call = { idempotencyKey: randomUUID(), body: createBody(), isReal }
    this.calls.push(call)
    return call
  }

  /** A new batch about an answered call, or an earlier one as for calls; undefined while no call is answered. */
  nextBatch(size: number): LedgerBatch | undefined {
    const requestId = this.#lastRequestId
    const open = this.batches.filter(({ isAcknowledged }) => !isAcknowledged)
    const oldest = open[this.#turn++ % MAX_OPEN]
    if (open.length >= MAX_OPEN && oldest) return oldest
    if (requestId === undefined) return undefined
    const events = Array.from({ length: size }, () => ({
      ts: new Date().toISOString(),
      end_user_id: createHash('sha256').update(randomUUID()).digest('hex'),
      event: 'conversation_reply',
      idempotency_key: randomUUID(),
      context: { originating_request_id: requestId },
    }))
    const batch = { body: JSON.stringify(events), size, isAcknowledged: false }
    this.batches.push(batch)
    return batch
  }

  acknowledgeCall(call: LedgerCall, answer: string): void {
    call.answer = answer
    this.#lastRequestId = (JSON.parse(answer) as { request_id: string }).request_id
  }

  answeredCalls(): LedgerCall[] {
    return this.calls.filter(({ answer }) => answer !== undefined)
  }

  acknowledgedBatches(): LedgerBatch[] {
    return this.batches.filter(({ isAcknowledged }) => isAcknowledged)
  }

  /** Events, answered calls and keys. */
  countAcknowledged(): number {
    const events = this.acknowledgedBatches().reduce((sum, { size }) => sum + size, 0)
    return events + this.answeredCalls().length + this.keys.length
  }
}
