import type { Database } from '../database/open-database.js'
import { recordCall, type AnsweredCall } from '../events/record-call.js'

/** Records a charged call, so that events can refer to it; reports of events are no such call. */
export async function recordAnswer(transaction: Database, call: AnsweredCall): Promise<void> {
  if (call.capability !== 'events') await recordCall(transaction, call)
}
