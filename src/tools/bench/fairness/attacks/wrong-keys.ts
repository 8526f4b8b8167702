import { generateApiKey } from '../../../../organizations/api-key-secret.js'
import type { Attack } from '../attack.js'
import { startFlood } from '../flood.js'

/** No rate limit stops a caller without a key, so the benchmark sets the rate. */
const PER_SECOND = 200

export const wrongKeys: Attack = {
  name: 'wrong-keys',
  describe: `${PER_SECOND} calls a second with well-formed keys that do not exist`,
  start: (target, outcomes) =>
    startFlood(target, outcomes, {
      perSecond: PER_SECOND,
      nextRequest: () => ({
        route: '/v1/match/evaluate',
        body: Buffer.from('{}'),
        headers: { Authorization: `Bearer ${generateApiKey('live')}` },
      }),
    }),
}
