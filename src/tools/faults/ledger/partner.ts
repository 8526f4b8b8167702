import type { Ledger, LedgerBatch, LedgerCall } from './ledger.js'

const TIMEOUT_MS = 75_000

/** How the service answered: a status with its error code; `no answer` when the connection failed. */
export interface PartnerAnswer {
  /** 0 when the connection failed. */
  status: number
  /** `200`, `503 storage_unavailable`, `no answer`. */
  outcome: string
  retryAfter: string | null
  body: string
}

interface Address {
  baseUrl: string
  apiKey: string
}

/** A partner's backend: sends requests and enters what was acknowledged into the ledger. */
export class Partner {
  readonly ledger: Ledger
  readonly #address: Address

  constructor(address: Address, ledger: Ledger) {
    this.#address = { baseUrl: address.baseUrl, apiKey: address.apiKey }
    this.ledger = ledger
  }

  /** Sends a call, for the first time or again. Does not enter the answer. */
  sendCall(call: LedgerCall): Promise<PartnerAnswer> {
    return this.post('/v1/match/evaluate', call.body, {
      'X-Idempotency-Key': call.idempotencyKey,
      ...(call.isReal && { 'X-Service-Synthetic': 'never' }),
    })
  }

  async call(call: LedgerCall): Promise<PartnerAnswer> {
    const answer = await this.sendCall(call)
    if (answer.status === 200) this.ledger.acknowledgeCall(call, answer.body)
    return answer
  }

  async report(batch: LedgerBatch): Promise<PartnerAnswer> {
    const answer = await this.post('/v1/events', batch.body)
    if (answer.status === 200) batch.isAcknowledged = true
    return answer
  }

  /** Status of a request with a key and without a body: 401 when the service does not know the key. */
  async tryKey(apiKey: string): Promise<number> {
    const headers = { Authorization: `Bearer ${apiKey}` }
    return (await this.post('/v1/events', '', headers)).status
  }

  async post(
    route: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<PartnerAnswer> {
    try {
      const response = await fetch(this.#address.baseUrl + route, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${this.#address.apiKey}`,
          'Content-Type': 'application/json',
          ...headers,
        },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return await readAnswer(response)
    } catch {
      return { status: 0, outcome: 'no answer', retryAfter: null, body: '' }
    }
  }
}

async function readAnswer(response: Response): Promise<PartnerAnswer> {
  const { status } = response
  const retryAfter = response.headers.get('retry-after')
  const body = await response.text()
  if (status === 200) return { status, outcome: '200', retryAfter, body }
  return { status, outcome: `${status} ${readErrorCode(body)}`, retryAfter, body }
}

function readErrorCode(body: string): string {
  try {
    return (JSON.parse(body) as { error: string }).error
  } catch {
    return 'without a code'
  }
}
