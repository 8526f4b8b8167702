import { createMatchBody, readExamplePairs } from '../../example-calls.js'
import type { Attack } from '../attack.js'
import { startFlood } from '../flood.js'

/** Below the limit on values in a body, so that it is parsed as a whole. */
const FIELDS = 20_000
/** Brings the body to 4 MiB. */
const FIELD_CHARACTERS = 200

export const unknownFields: Attack = {
  name: 'unknown-fields',
  describe:
    'matches of 4 MiB, of which all but a few kilobytes are unknown fields of `preferences`',
  start(target, outcomes) {
    const [pair] = readExamplePairs()
    const { user_a: sender, user_b: recipient } = createMatchBody(pair!, { withPreferences: true })
    const unknown = Object.fromEntries(
      Array.from({ length: FIELDS }, (_, index) => [
        `unknown_${index}`,
        'x'.repeat(FIELD_CHARACTERS),
      ]),
    )
    const preferences = { ...sender.preferences, ...unknown }
    const match = { user_a: { ...sender, preferences }, user_b: recipient }
    const body = Buffer.from(JSON.stringify(match))
    return startFlood(target, outcomes, {
      perSecond: target.requestsPerMinute['match.evaluate'] / 60,
      nextRequest: () => ({ route: '/v1/match/evaluate', body }),
    })
  },
}
