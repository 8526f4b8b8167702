import type { Database } from '../../src/database/open-database.js'
import type { LearningBucketsTable, LearningEvidenceTable } from '../../src/database/schema.js'
import { ensureScopeId, type EventScope } from '../../src/events/event-scope.js'
import { SHARES_PER_OPENER } from '../../src/events/opener-shares.js'

type EvidenceSketch = Partial<Omit<LearningEvidenceTable, 'scope_id'>> & { day: number }
type BucketSketch = Omit<LearningBucketsTable, 'scope_id'>

/** Adds evidence of openers, in whole openers. */
export async function addEvidence(
  db: Database,
  scope: EventScope,
  rows: readonly EvidenceSketch[],
): Promise<void> {
  const scope_id = await ensureScopeId(db, scope)
  for (const { sent = 1, replied = 0, ...rest } of rows) {
    const cell = { tone: 'warm', style: 'open_question', is_question: 1, detail: 'bio' }
    const bands = { length_band: 1, score_band: 0 }
    const counts = { sent: sent * SHARES_PER_OPENER, replied: replied * SHARES_PER_OPENER }
    const row = { scope_id, ...cell, ...bands, ...counts, ...rest }
    await db.insertInto('learning_evidence').values(row).execute()
  }
}

/** Adds openers of buckets, in whole openers. */
export async function addBuckets(
  db: Database,
  scope: EventScope,
  rows: readonly BucketSketch[],
): Promise<void> {
  const scope_id = await ensureScopeId(db, scope)
  for (const { sent, replied, ...rest } of rows) {
    const counts = { sent: sent * SHARES_PER_OPENER, replied: replied * SHARES_PER_OPENER }
    await db
      .insertInto('learning_buckets')
      .values({ scope_id, ...rest, ...counts })
      .execute()
  }
}
