import { createOpenersBody, newPhoto, readExamplePairs } from '../../example-calls.js'
import type { Attack } from '../attack.js'
import { startFlood } from '../flood.js'

export const openers: Attack = {
  name: 'openers',
  describe: 'five openers a call for new photos, at the full rate',
  start(target, outcomes) {
    const pairs = readExamplePairs()
    let next = 0
    return startFlood(target, outcomes, {
      perSecond: target.requestsPerMinute['conversation.openers'] / 60,
      nextRequest: () => {
        const body = createOpenersBody(pairs[next++ % pairs.length]!, { photo: newPhoto, count: 5 })
        return { route: '/v1/conversation/openers', body: Buffer.from(JSON.stringify(body)) }
      },
    })
  },
}
