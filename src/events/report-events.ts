import { endpoint } from '../http/endpoint.js'
import { oldestKept } from '../config/oldest-kept.js'
import { eventsRequestSchema, eventsResponseSchema } from './events-contract.js'
import { storeEvents } from './store-events.js'

export const reportEventsEndpoint = endpoint({
  capability: 'events',
  summary: 'Receives outcome events, from which reply rates and retention are computed',
  body: eventsRequestSchema,
  response: eventsResponseSchema,
  // A thousand records take about 400 kB.
  maxBodyBytes: 2 * 1024 * 1024,
  async handle(context, records, call) {
    const { organizationId, environment } = call.caller
    const now = context.clock()
    const stored = await storeEvents(
      context.db,
      {
        scope: { organizationId, environment },
        records,
        oldest: oldestKept(context.config.retention, now),
      },
      now,
    )
    return { request_id: call.requestId, ...stored }
  },
})
