import { createMatchBody, readExamplePairs } from '../../example-calls.js'
import type { Attack } from '../attack.js'
import { startFlood } from '../flood.js'

const BIO_CHARACTERS = 5_000
/** U+FDFA becomes eighteen characters in compatibility normalisation; the others are slow to normalise, split or match. */
const COSTLY = ['\uFDFA', 'a\u0301\u0327', '\u1100\u1161\u11A8', 'a.', '1-', '🧑‍🚀']

export const costlyTexts: Attack = {
  name: 'costly-texts',
  describe: 'bios of 5,000 characters that normalisation and text rules are slow on',
  start(target, outcomes) {
    const [pair] = readExamplePairs()
    let next = 0
    const nextBio = () => {
      const number = next++
      const bio = COSTLY[number % COSTLY.length]!.repeat(BIO_CHARACTERS).slice(
        0,
        BIO_CHARACTERS - 9,
      )
      return `${bio} ${number}`
    }
    return startFlood(target, outcomes, {
      perSecond: target.requestsPerMinute['match.evaluate'] / 60,
      nextRequest: () => {
        const costly = {
          ...pair!,
          sender: { ...pair!.sender, bio: nextBio() },
          recipient: { ...pair!.recipient, bio: nextBio() },
        }
        const body = createMatchBody(costly, { withPreferences: false })
        return { route: '/v1/match/evaluate', body: Buffer.from(JSON.stringify(body)) }
      },
    })
  },
}
