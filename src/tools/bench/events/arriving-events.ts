import { createHash } from 'node:crypto'
import type { EventKind, EventRecord } from '../../../events/events-contract.js'
import { seededRandom } from '../../../core/seeded-random.js'
import { shuffle } from '../../statistics/shuffle.js'
import { endUserOf, EVENTS_PER_PAIR, requestIdOf } from './fill-year.js'
import { YEAR_END } from './synthetic-events.js'

const EVENTS_PER_USER = 10
const SPREAD_MS = 10 * 60 * 1_000
const PLACES: readonly (readonly [kind: EventKind, call: number, opener: number])[] = [
  ['opener_sent', 1, 0],
  ['conversation_reply', 1, 0],
  ['opener_sent', 2, 0],
  ['opener_sent', 2, 1],
  ['conversation_reply', 2, 1],
]

/**
 * The events of the spare calls of a filled year, in an order that mixes them: those of one call come in several batches. All happened in the
 * last minutes of the year. Another seed gives other events.
 * @param year - as it was filled
 */
export function createArrivingEvents(
  { events, sparePairs }: { events: number; sparePairs: number },
  seed: number,
): EventRecord[] {
  const random = seededRandom(seed)
  const first = events / EVENTS_PER_PAIR
  const records: EventRecord[] = []
  for (let pair = first; pair < first + sparePairs; pair++) {
    // By call: an opener and its reply come from one end user.
    const users = [0, 1].map(() => endUserOf(Math.floor((random() * events) / EVENTS_PER_USER)))
    for (const [place, [event, call, opener]] of PLACES.entries()) {
      records.push({
        ts: new Date(YEAR_END - Math.floor(random() * SPREAD_MS)).toISOString(),
        end_user_id: users[call - 1]!,
        event,
        idempotency_key: keyOf(`${seed} ${pair} ${place}`),
        context: {
          originating_request_id: requestIdOf(2 * pair + call),
          ...(pair % 3 !== 0 && { opener_index: (pair + opener) % 3 }),
        },
      })
    }
  }
  return shuffle(records, random)
}

function keyOf(name: string): string {
  const hex = createHash('md5').update(name).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
