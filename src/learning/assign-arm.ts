import { createHmac } from 'node:crypto'
import type { EventScope } from '../events/event-scope.js'
import type { Arm } from '../openers/opener-policy.js'
import type { ServerSecret } from '../organizations/server-secret.js'
import { BUCKETS } from './uplift.js'

/**
 * The bucket of a subject in an environment, from 0 to `BUCKETS - 1`. Keyed with the server secret, so that nobody without it
 * can find out who is in a bucket, and so that partners cannot choose a side.
 */
export function assignBucket(secret: ServerSecret, scope: EventScope, subject: string): number {
  const hash = createHmac('sha256', secret.subkey('learning-bucket'))
    .update(JSON.stringify([scope.organizationId, scope.environment, subject]))
    .digest()
  // Of 2^48 values no bucket gets noticeably more than another.
  return hash.readUIntBE(0, 6) % BUCKETS
}

/** When the control share grows, buckets move to the control group and none moves back. */
export function armOf(bucket: number, controlPercent: number): Arm {
  return bucket < (controlPercent * BUCKETS) / 100 ? 'control' : 'learned'
}
