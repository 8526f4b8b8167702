import { createOpenersBody, readExamplePairs } from '../../example-calls.js'
import type { Attack } from '../attack.js'
import { startFlood } from '../flood.js'

export const leftStreams: Attack = {
  name: 'left-streams',
  describe: 'streams of five openers, left after the first',
  start(target, outcomes) {
    const pairs = readExamplePairs()
    let next = 0
    return startFlood(target, outcomes, {
      perSecond: target.requestsPerMinute['conversation.openers'] / 60,
      nextRequest: () => {
        const body = createOpenersBody(pairs[next++ % pairs.length]!, { count: 5 })
        return {
          route: '/v1/conversation/openers',
          body: Buffer.from(JSON.stringify(body)),
          headers: { Accept: 'text/event-stream' },
          leaveAfter: 'event: opener\n',
        }
      },
    })
  },
}
