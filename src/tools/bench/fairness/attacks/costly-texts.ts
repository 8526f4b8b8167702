import { createMatchBody, readExamplePairs } from '../../example-calls.js'
import type { Attack } from '../attack.js'
import { startFlood } from '../flood.js'

const BIO_CHARACTERS = 5_000
/**
 * Repeated, they are slow to normalise (U+FDFA stands for eighteen characters), to split into parts or words, to match with rules, or to
 * read for a model. Some are refused in the end, others answered.
 */
const COSTLY = ['\uFDFA', 'a\u0301\u0327', 'a.', '1-', '5 6 7 ', '(((', '\u1100\u1161\u11A8']

export const costlyTexts: Attack = {
  name: 'costly-texts',
  describe: 'bios of 5,000 characters that are slow to normalise, split or read',
  start(target, outcomes) {
    const [pair] = readExamplePairs()
    let next = 0
    return startFlood(target, outcomes, {
      perSecond: target.requestsPerMinute['match.evaluate'] / 60,
      nextRequest: () => {
        const text = COSTLY[next % COSTLY.length]!
        const nextBio = () => createBio(text, next++)
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

/** @param number - makes it a bio that no cache contains */
function createBio(text: string, number: number): string {
  const suffix = ` ${number}`
  return text.repeat(BIO_CHARACTERS).slice(0, BIO_CHARACTERS - suffix.length) + suffix
}
