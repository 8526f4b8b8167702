import type { Database } from '../../src/database/open-database.js'
import { ensureScopeId, type EventScope } from '../../src/events/event-scope.js'
import { toStoredOpeners, toStoredSelection } from '../../src/events/written-openers.js'
import type { Arm } from '../../src/openers/opener-policy.js'
import type { OpenerDetail } from '../../src/openers/opener-traits.js'
import type { Style, Tone } from '../../src/openers/styles.js'
import { LIVE } from '../events/_event-store.js'

export interface CallSketch {
  requestId: string
  scope?: EventScope
  tone?: Tone
  styles?: readonly Style[]
  arm?: Arm
  bucket?: number
  isQuestion?: boolean
  detail?: OpenerDetail
  score?: number | null
  /** Milliseconds since the epoch; default: long ago. */
  createdAt?: number
}

/** Records a call for openers that was made while learning was on. */
export async function recordLearningCall(db: Database, sketch: CallSketch): Promise<void> {
  const { requestId, scope = LIVE, tone = 'warm', styles = ['open_question'] } = sketch
  const { arm = 'learned', bucket = 0, isQuestion = true, detail = 'bio', score = 0.8 } = sketch
  const openers = styles.map((style) => ({ style, length: 60 }))
  const traits = styles.map(() => ({ isQuestion, detail, score }))
  const selection = { arm, bucket, styles: [...new Set(styles)], probabilities: null }
  await db
    .insertInto('service_calls')
    .values({
      scope_id: await ensureScopeId(db, scope),
      request_id: requestId,
      capability: 'conversation.openers',
      created_at: sketch.createdAt ?? Date.UTC(2020, 0, 1),
      tone,
      openers: toStoredOpeners(openers, traits),
      selection: toStoredSelection(selection),
    })
    .execute()
}

/** The counts of an environment that are not 0, in the order of their keys. */
export async function readCounts(db: Database, scope: EventScope = LIVE) {
  const scopeId = await ensureScopeId(db, scope)
  const evidence = await db
    .selectFrom('learning_evidence')
    .selectAll()
    .orderBy('day')
    .orderBy('tone')
    .orderBy('style')
    .orderBy('is_question')
    .orderBy('detail')
    .orderBy('length_band')
    .orderBy('score_band')
    .where('scope_id', '=', scopeId)
    .where((where) => where.or([where('sent', '<>', 0), where('replied', '<>', 0)]))
    .execute()
  const buckets = await db
    .selectFrom('learning_buckets')
    .selectAll()
    .orderBy('day')
    .orderBy('arm')
    .orderBy('bucket')
    .where('scope_id', '=', scopeId)
    .where((where) => where.or([where('sent', '<>', 0), where('replied', '<>', 0)]))
    .execute()
  return { evidence, buckets }
}
