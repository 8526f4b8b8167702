import type { AppContext } from '../../../context.js'
import type { Database } from '../../../database/open-database.js'
import { beginCall } from '../../../metering/begin-call.js'
import type { QuotaScope } from '../../../metering/quota.js'

const TIMEOUT_MS = 60_000
/** SHA-256 of a body, as the metering receives it. */
const BODY_DIGEST = Buffer.alloc(32)
/** As long as that of a match. */
const ANSWER = { body: 'x'.repeat(300), headers: {} }

interface NoOpCall {
  scope: QuotaScope
  idempotencyKey: string | undefined
  /** Runs in the transaction that charges the call. Default: stores nothing. */
  record?: (transaction: Database) => Promise<void>
}

/** Meters a call that computes nothing: claims its key, reserves quota and settles it, or replays the stored answer. */
export async function meterNoOp(
  context: Pick<AppContext, 'db' | 'idempotency' | 'clock'>,
  { scope, idempotencyKey, record = () => Promise.resolve() }: NoOpCall,
): Promise<void> {
  const begun = await beginCall(context, {
    scope,
    limits: { hardCap: 1e9 },
    idempotencyKey,
    bodyDigest: BODY_DIGEST,
    deadline: context.clock() + TIMEOUT_MS,
    signal: new AbortController().signal,
  })
  if ('call' in begun) await begun.call.settle(ANSWER, record)
}
