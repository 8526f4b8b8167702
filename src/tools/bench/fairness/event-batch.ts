import { randomBytes, randomUUID } from 'node:crypto'
import type { EventRecord } from '../../../events/events-contract.js'
import { createMatchBody, readExamplePairs } from '../example-calls.js'
import type { ServiceAddress } from '../service/start-service.js'

/** New records of new end users about one call. */
export function createEventBatch(requestId: string, records: number): EventRecord[] {
  const ts = new Date().toISOString()
  return Array.from({ length: records }, () => ({
    ts,
    end_user_id: randomBytes(32).toString('hex'),
    event: 'conversation_reply',
    idempotency_key: randomUUID(),
    context: { originating_request_id: requestId },
  }))
}

/** Makes a call that events can refer to. Returns its request id. */
export async function requestOriginatingCall(service: ServiceAddress): Promise<string> {
  const [pair] = readExamplePairs()
  const response = await fetch(`${service.baseUrl}/v1/match/evaluate`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(createMatchBody(pair!, { withPreferences: true })),
  })
  if (!response.ok) throw new Error(`A match was answered with ${response.status}.`)
  const { request_id: requestId } = (await response.json()) as { request_id: string }
  return requestId
}
