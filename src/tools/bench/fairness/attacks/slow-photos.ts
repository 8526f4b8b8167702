import { createMatchBody, createOpenersBody, readExamplePairs } from '../../example-calls.js'
import type { Attack } from '../attack.js'
import { startFlood, type FloodOptions } from '../flood.js'
import { startSlowPhotoHost } from './slow-photo-host.js'

/** Below the default time limit of a photo, so that every call ends well. */
const DELAY_MS = 7_000

export const slowPhotos: Attack = {
  name: 'slow-photos',
  describe: 'openers and matches whose photo host answers after 7 s',
  async start(target, outcomes) {
    const host = await startSlowPhotoHost(DELAY_MS)
    const [pair] = readExamplePairs()
    const photo = host.nextUrl
    const flood = (options: FloodOptions) => startFlood(target, outcomes, options)
    const stops = [
      flood({
        perSecond: target.requestsPerMinute['conversation.openers'] / 60,
        nextRequest: () => ({
          route: '/v1/conversation/openers',
          body: toBody(createOpenersBody(pair!, { photo, count: 1 })),
        }),
      }),
      flood({
        perSecond: target.requestsPerMinute['match.evaluate'] / 60,
        nextRequest: () => ({
          route: '/v1/match/evaluate',
          body: toBody(createMatchBody(pair!, { photo, withPreferences: true })),
        }),
      }),
      host.close,
    ]
    return () => stops.forEach((stop) => stop())
  },
}

function toBody(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}
