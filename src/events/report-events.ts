import type { z } from 'zod'
import { retentionCutoffs, type Retention } from '../config/retention-cutoffs.js'
import type { Database } from '../database/open-database.js'
import type { EventScope } from './event-scope.js'
import { eventsRequestSchema, eventsResponseSchema } from './events-contract.js'
import { storeEvents } from './store-events.js'

export interface EventsParts {
  db: Database
  clock: () => number
  config: { retention: Retention }
}

export const reportEventsCall = {
  capability: 'events',
  priority: 'batch',
  // Batches are stored in one transaction each, and the database takes one at a time.
  concurrency: 1,
  summary: 'Receives outcome events, from which reply rates and retention are computed',
  body: eventsRequestSchema,
  response: eventsResponseSchema,
  // A thousand records take about 400 kB.
  maxBodyBytes: 2 * 1024 * 1024,
  handle: reportEvents,
} as const

async function reportEvents(
  { db, clock, config }: EventsParts,
  records: z.infer<typeof eventsRequestSchema>,
  { requestId, caller }: { requestId: string; caller: EventScope },
): Promise<z.infer<typeof eventsResponseSchema>> {
  const { organizationId, environment } = caller
  const now = clock()
  const oldest = retentionCutoffs(config.retention, now)
  const batch = { scope: { organizationId, environment }, records, oldest }
  return { request_id: requestId, ...(await storeEvents(db, batch, now)) }
}
