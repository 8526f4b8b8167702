import type { EventKind, EventRecord } from '../../../events/events-contract.js'
import type { AnsweredCall } from '../../../events/record-call.js'
import type { Style, Tone } from '../../../openers/styles.js'
import type { RandomSource } from './random-source.js'

/** Probability that an opener of a style is answered, before the factor of its tone. */
const STYLE_RATES: Record<Style, number> = {
  open_question: 0.335,
  photo_callback: 0.308,
  shared_interest: 0.286,
  playful_observation: 0.241,
  confident_direct: 0.42,
}
const TONE_FACTORS: Record<Tone, number> = { warm: 1.09, playful: 1, witty: 0.93, direct: 0.84 }
/** Drawn uniformly, so `playful` is the most frequent. */
const TONES: readonly Tone[] = ['playful', 'playful', 'playful', 'warm', 'warm', 'witty', 'direct']
const COMMON_STYLES: readonly Style[] = [
  'playful_observation',
  'open_question',
  'photo_callback',
  'shared_interest',
]
/** Sent only a few times, and so far with more replies than it will keep getting. */
const RARE_STYLE: Style = 'confident_direct'
const RARE_SENDS = 9
/** Probability that an event does not say which opener was sent. */
const WITHOUT_INDEX = 0.06
const MEAN_REPLY_HOURS = 9
const MAX_SEND_DELAY_MS = 20 * 60_000
const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

/** Mean number of events for a call. */
export const EVENTS_PER_CALL = 1.28

export interface OpenersDay {
  startsAt: number
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
export type InventedCall = Required<Pick<AnsweredCall, 'requestId' | 'createdAt' | 'written'>>

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
  { startsAt, now, drawEndUser, drawTimeOfDay }: OpenersDay,
  isRare: boolean,
): { call: InventedCall; events: EventRecord[] } {
  const tone = isRare ? 'direct' : TONES[random.below(TONES.length)]!
  const requestId = `req_${random.hex(24)}`
  const createdAt = Math.round(Math.min(startsAt + drawTimeOfDay(), now - 1_000))
  const styles = isRare ? [RARE_STYLE, 'open_question' as const] : pickStyles(random)
  const openers = styles.map((style) => ({ style, length: 40 + random.below(60) }))
  const index = isRare ? 0 : random.below(styles.length)
  const endUser = drawEndUser(createdAt)
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
  const replyRate = STYLE_RATES[styles[index]!] * TONE_FACTORS[tone]
  const isAnswered = isRare ? Math.floor(startsAt / DAY_MS) % 9 < 5 : random.chance(replyRate)
  const answeredAt = sentAt - Math.log(1 - random.uniform()) * MEAN_REPLY_HOURS * HOUR_MS
  if (isAnswered && answeredAt < now) events.push(createEvent('conversation_reply', answeredAt))
  return { call: { requestId, createdAt, written: { tone, openers } }, events }
}

/** Calls that send the rare style, by day of the year: one on each of the last whole days. */
export function planRareCalls(dayCount: number): number[] {
  return Array.from({ length: dayCount }, (_, index) =>
    index >= dayCount - 1 - RARE_SENDS && index < dayCount - 1 ? 1 : 0,
  )
}

function pickStyles(random: RandomSource): Style[] {
  const first = random.below(COMMON_STYLES.length)
  return [0, 1, 2].map((offset) => COMMON_STYLES[(first + offset) % COMMON_STYLES.length]!)
}
