import { createMatchBody, newPhoto, readExamplePairs } from '../../example-calls.js'
import type { Attack } from '../attack.js'
import { startFlood } from '../flood.js'

export const newMatches: Attack = {
  name: 'new-matches',
  describe: 'matches without preferences and with new photos, at the full rate',
  start(target, outcomes) {
    const pairs = readExamplePairs()
    let next = 0
    return startFlood(target, outcomes, {
      perSecond: target.requestsPerMinute['match.evaluate'] / 60,
      nextRequest: () => {
        const pair = pairs[next++ % pairs.length]!
        const body = createMatchBody(pair, { withPreferences: false, photo: newPhoto })
        return { route: '/v1/match/evaluate', body: Buffer.from(JSON.stringify(body)) }
      },
    })
  },
}
