import { createHash, randomUUID } from 'node:crypto'
import { Finding } from '../finding.js'
import { mutatedJson } from '../inputs/mutate-json.js'
import { encodedBody, type EncodedBody } from '../inputs/mutate-bytes.js'
import { createTarget } from '../run-target.js'
import type { FuzzedService } from '../service/fuzzed-service.js'
import { judgeAnswer, parseJson } from '../service/judge-answer.js'

const CEILINGS = { refused: 300, answered: 1_500 }
const ROUTE = '/v1/events'
const LARGE_BATCH = 200

/** Batches of events; what is accepted once is a duplicate for ever. */
export const events = createTarget<EncodedBody>('events', async (resources) => {
  const service = await resources.service()
  const requestId = await requestOpeners(service)
  const { apiKey, send, readCpuMs } = service
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  return {
    inputs: encodedBody(
      mutatedJson([
        [createEvent(requestId)],
        [createEvent(requestId), createEvent(requestId, 'conversation_reply')],
        Array.from({ length: LARGE_BATCH }, () => createEvent(requestId)),
      ]),
    ),
    ceilings: CEILINGS,
    readCpuMs,
    attempt: async ({ bytes, encoding }) => {
      const encoded = encoding === undefined ? {} : { 'Content-Encoding': encoding }
      const request = { path: ROUTE, headers: { ...headers, ...encoded }, body: bytes }
      const answer = await send(request)
      const outcome = judgeAnswer(answer)
      if (answer.status === 200) {
        const first = readCounts(answer.text)
        const again = await send(request)
        judgeAnswer(again)
        const second = readCounts(again.text)
        if (second.accepted !== 0 || second.duplicates !== first.accepted + first.duplicates) {
          throw new Finding('the same batch was counted twice')
        }
      }
      return outcome
    },
    describe: ({ bytes, encoding }) => `${encoding ?? 'not encoded'}\n${bytes.toString()}`,
  }
})

function readCounts(text: string): { accepted: number; duplicates: number } {
  return parseJson(text) as { accepted: number; duplicates: number }
}

function createEvent(requestId: string, event = 'opener_sent') {
  return {
    ts: new Date().toISOString(),
    end_user_id: createHash('sha256').update(randomUUID()).digest('hex'),
    event,
    idempotency_key: randomUUID(),
    context: { originating_request_id: requestId, opener_index: 0 },
  }
}

/** Makes a call that events can refer to; its photo cannot be fetched, so the answer is synthetic. Returns its request id. */
async function requestOpeners({ send, apiKey }: FuzzedService): Promise<string> {
  const { text } = await send({
    path: '/v1/conversation/openers',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      sender: { id: 's', name: 'Sam' },
      recipient: { id: 'r', photos: ['https://photos.invalid/r.jpg'], bio: 'A potter.' },
      count: 5,
    }),
  })
  const { request_id } = parseJson(text) as { request_id?: string }
  if (request_id === undefined) throw new Error('No openers to report events of.')
  return request_id
}
