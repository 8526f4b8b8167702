import type { Database } from '../database/open-database.js'
import { findScopeId } from '../events/event-scope.js'
import type { FitRequest } from './fit-request.js'
import type { BucketRow } from './evidence.js'
import { readBuckets } from './read-buckets.js'
import { comparedDays } from './settled-days.js'

/** The openers that the comparison of the arms covers. */
export async function readComparison(
  db: Database,
  { scope, settings, today }: FitRequest,
): Promise<BucketRow[]> {
  const scopeId = await findScopeId(db, scope)
  return readBuckets(db, { scopeId, ...comparedDays(settings, today) })
}
