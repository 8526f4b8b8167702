import type { EventKind, EventRecord } from '../../../events/events-contract.js'
import type { AnsweredCall } from '../../../events/record-call.js'
import type { Style, Tone } from '../../../openers/styles.js'
import { inventOpener, inventSelection } from './invent-choice.js'
import type { RandomSource } from './random-source.js'
import { replyRateOf } from './reply-rates.js'

/** Drawn uniformly, so `playful` is the most frequent. */
const TONES: readonly Tone[] = ['playful', 'playful', 'playful', 'warm', 'warm', 'witty', 'direct']
/** Sent only a few times, and so far with more replies than it will keep getting. */
const RARE_STYLE: Style = 'confident_direct'
const RARE_SENDS = 9
const OPENERS_PER_CALL = 3
/** Fractions of the calls in which the first and the second opener is sent; in the others it is the last. */
const SENT_FIRST = 0.6
const SENT_SECOND = 0.25
/** Probability that an event does not say which opener was sent. */
const WITHOUT_INDEX = 0.06
const MEAN_REPLY_HOURS = 9
const MAX_SEND_DELAY_MS = 20 * 60_000
const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

/** Mean number of events for a call. */
export const EVENTS_PER_CALL = 1.32

export interface OpenersDay {
  startsAt: number
  /** Days since the history began. */
  index: number
  /** Calls for openers on this day. */
  calls: number
  now: number
  /** How many of the calls, from the first, send the rare style. */
  rareCalls: number
  /** Draws an active end user. */
  drawEndUser: (time: number) => string
  /** Draws milliseconds since the start of a day. */
  drawTimeOfDay: () => number
}

/** A call for openers without its organisation. */
export type InventedCall = Required<Pick<AnsweredCall, 'requestId' | 'createdAt' | 'written'>> &
  Pick<AnsweredCall, 'chosen'>

/** Invents the calls for openers of a day, and their outcomes. */
export function inventOpeners(
  random: RandomSource,
  day: OpenersDay,
): { calls: InventedCall[]; events: EventRecord[] } {
  const calls: InventedCall[] = []
  const events: EventRecord[] = []
  for (let i = 0; i < day.calls; i++) {
    const invented = inventCall(random, day, i < day.rareCalls)
    calls.push(invented.call)
    events.push(...invented.events)
  }
  return { calls, events }
}

function inventCall(
  random: RandomSource,
  { startsAt, index: day, now, drawEndUser, drawTimeOfDay }: OpenersDay,
  isRare: boolean,
): { call: InventedCall; events: EventRecord[] } {
  const tone = isRare ? 'direct' : TONES[random.below(TONES.length)]!
  const requestId = `req_${random.hex(24)}`
  const createdAt = Math.round(Math.min(startsAt + drawTimeOfDay(), now - 1_000))
  const endUser = drawEndUser(createdAt)
  // Nobody learns from the rare style: the page about openers shows it as one with too few sends.
  const selection = isRare
    ? undefined
    : inventSelection(random, { tone, endUser, day, without: RARE_STYLE })
  const styles = selection?.styles.slice(0, OPENERS_PER_CALL) ?? [RARE_STYLE, 'open_question']
  const openers = styles.map((style) => inventOpener(random, style))
  const index = isRare ? 0 : pickSent(random)
  const hasIndex = isRare || !random.chance(WITHOUT_INDEX)
  const createEvent = (event: EventKind, time: number): EventRecord => ({
    ts: new Date(time).toISOString(),
    end_user_id: endUser,
    event,
    idempotency_key: random.uuid(),
    context: { originating_request_id: requestId, ...(hasIndex && { opener_index: index }) },
  })
  const sentAt = Math.min(createdAt + random.below(MAX_SEND_DELAY_MS), now)
  const events = [createEvent('opener_sent', sentAt)]
  const replyRate = replyRateOf(openers[index]!, tone)
  const isAnswered = isRare ? Math.floor(startsAt / DAY_MS) % 9 < 5 : random.chance(replyRate)
  const answeredAt = sentAt - Math.log(1 - random.uniform()) * MEAN_REPLY_HOURS * HOUR_MS
  if (isAnswered && answeredAt < now) events.push(createEvent('conversation_reply', answeredAt))
  const chosen = selection && { selection, traits: openers }
  return { call: { requestId, createdAt, written: { tone, openers }, chosen }, events }
}

/** Calls that send the rare style, by day of the year: one on each of the last whole days. */
export function planRareCalls(dayCount: number): number[] {
  return Array.from({ length: dayCount }, (_, index) =>
    index >= dayCount - 1 - RARE_SENDS && index < dayCount - 1 ? 1 : 0,
  )
}

/** Index of the opener that the end user sends: people take the first more often than the others. */
function pickSent(random: RandomSource): number {
  const drawn = random.uniform()
  if (drawn < SENT_FIRST) return 0
  return drawn < SENT_FIRST + SENT_SECOND ? 1 : 2
}
