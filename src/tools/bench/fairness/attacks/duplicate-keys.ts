import { randomUUID } from 'node:crypto'
import { createOpenersBody, newPhoto, readExamplePairs } from '../../example-calls.js'
import type { Attack } from '../attack.js'
import { startFlood, type AttackRequest } from '../flood.js'

/** Calls with the same key, of which all but one wait for the first. */
const DUPLICATES = 16

export const duplicateKeys: Attack = {
  name: 'duplicate-keys',
  describe: `openers, each sent ${DUPLICATES} times at once with one idempotency key`,
  start(target, outcomes) {
    const pairs = readExamplePairs()
    let next = 0
    let request: AttackRequest | undefined
    return startFlood(target, outcomes, {
      perSecond: target.requestsPerMinute['conversation.openers'] / 60,
      nextRequest: () => {
        const number = next++
        if (request === undefined || number % DUPLICATES === 0) {
          const pair = pairs[number % pairs.length]!
          const body = createOpenersBody(pair, { photo: newPhoto, count: 5 })
          request = {
            route: '/v1/conversation/openers',
            body: Buffer.from(JSON.stringify(body)),
            headers: { 'X-Idempotency-Key': randomUUID() },
          }
        }
        return request
      },
    })
  },
}
