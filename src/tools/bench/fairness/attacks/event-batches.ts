import type { Attack } from '../attack.js'
import { createEventBatch, requestOriginatingCall } from '../event-batch.js'
import { startFlood } from '../flood.js'

const RECORDS = 1_000

export const eventBatches: Attack = {
  name: 'event-batches',
  describe: 'batches of 1,000 new events, at the full rate',
  async start(target, outcomes) {
    const requestId = await requestOriginatingCall(target)
    return startFlood(target, outcomes, {
      perSecond: target.requestsPerMinute.events / 60,
      nextRequest: () => ({
        route: '/v1/events',
        body: Buffer.from(JSON.stringify(createEventBatch(requestId, RECORDS))),
      }),
    })
  },
}
