import { setTimeout as delay } from 'node:timers/promises'
import type { EventRecord } from '../../../events/events-contract.js'
import { seededRandom } from '../../../core/seeded-random.js'
import { shuffle } from '../../statistics/shuffle.js'

const RETRY_AFTER_MS = 200

/** A server that takes reports of events. */
export interface Reporting {
  port: number
  apiKey: string
}

export interface Reported {
  accepted: number
  duplicates: number
  /** Of batches that both servers had at the same time. */
  sentAtOnce: number
  seconds: number
}

/**
 * Sends every event twice over HTTP, in two orders of their own and in batches that mix differently: one order to each of two servers at the same
 * time. Every tenth batch goes to both servers at once, so that equal records race.
 * @param servers - two or more; those after the second share its events
 */
export async function reportTwice(
  servers: readonly Reporting[],
  events: readonly EventRecord[],
  { batchSize, seed }: { batchSize: number; seed: number },
): Promise<Reported> {
  const reported: Reported = { accepted: 0, duplicates: 0, sentAtOnce: 0, seconds: 0 }
  const send = async (server: Reporting, records: readonly EventRecord[]) => {
    const { accepted, duplicates } = await post(server, records)
    reported.accepted += accepted
    reported.duplicates += duplicates
  }
  const startedAt = performance.now()
  const [first, ...others] = servers
  const mixed = shuffle(events, seededRandom(seed))
  const raced = mixed.splice(0, Math.floor(mixed.length / 10))
  const queues = [
    { server: first!, batches: cut(shuffle(mixed, seededRandom(seed + 1)), batchSize) },
    ...others.map((server, place) => ({
      server,
      batches: cut(shuffle(mixed, seededRandom(seed + 2)), batchSize).filter(
        (_batch, number) => number % others.length === place,
      ),
    })),
  ]
  const racing = cut(raced, batchSize)
  await Promise.all(
    queues.map(async ({ server, batches }) => {
      for (const batch of batches) await send(server, batch)
    }),
  )
  for (const [number, batch] of racing.entries()) {
    const rival = others[number % others.length]!
    await Promise.all([send(first!, batch), send(rival, batch.toReversed())])
    reported.sentAtOnce += batch.length
  }
  reported.seconds = Math.round((performance.now() - startedAt) / 1_000)
  return reported
}

function cut(events: readonly EventRecord[], size: number): EventRecord[][] {
  const batches: EventRecord[][] = []
  for (let start = 0; start < events.length; start += size) {
    batches.push(events.slice(start, start + size))
  }
  return batches
}

/** A busy server refuses a batch, which is then sent again, as a partner does. */
async function post(
  { port, apiKey }: Reporting,
  records: readonly EventRecord[],
): Promise<{ accepted: number; duplicates: number }> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(records),
    })
    if (response.ok) return (await response.json()) as { accepted: number; duplicates: number }
    const text = await response.text()
    if (response.status !== 503) throw new Error(`A batch was refused: ${text}`)
    await delay(RETRY_AFTER_MS)
  }
}
