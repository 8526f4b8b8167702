/** How likely an opener of a style gets a reply, and of which tone it matters. */
const STYLE_RATES = {
  open_question: 0.335,
  photo_callback: 0.308,
  shared_interest: 0.286,
  playful_observation: 0.241,
  confident_direct: 0.42,
}
const TONE_FACTORS = { warm: 1.09, playful: 1, witty: 0.93, direct: 0.84 }
const TONES = /** @type {const} */ ([
  'playful',
  'playful',
  'playful',
  'warm',
  'warm',
  'witty',
  'direct',
])
const COMMON_STYLES = /** @type {const} */ ([
  'playful_observation',
  'open_question',
  'photo_callback',
  'shared_interest',
])
/** A style that was tried a few times only, with more luck than it will keep. */
const RARE_STYLE = 'confident_direct'
const RARE_SENDS = 9
const UNNAMED_SHARE = 0.06
const MEAN_REPLY_HOURS = 9
const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

/**
 * The calls for openers of one day, and what came of them.
 * @param {import('./random.js').Random} random
 * @param {{ startsAt: number, calls: number, now: number, rareCalls: number, someone: (time: number) => string, timeOfDay: () => number }} day
 */
export function inventOpeners(random, day) {
  const { startsAt, calls, now, rareCalls, someone, timeOfDay } = day
  const written = []
  const events = []
  for (let call = 0; call < calls; call++) {
    const isRare = call < rareCalls
    const tone = isRare ? 'direct' : (TONES[random.below(TONES.length)] ?? 'playful')
    const requestId = `req_${random.hex(24)}`
    const at = Math.round(Math.min(startsAt + timeOfDay(), now - 1_000))
    const styles = isRare ? [RARE_STYLE, 'open_question'] : pickStyles(random)
    const openers = styles.map((style) => ({ style, length: 40 + random.below(60) }))
    written.push({ requestId, createdAt: at, written: { tone, openers } })
    const index = isRare ? 0 : random.below(styles.length)
    const user = someone(at)
    const isNamed = isRare || !random.chance(UNNAMED_SHARE)
    const record = (/** @type {string} */ event, /** @type {number} */ time) => ({
      ts: new Date(time).toISOString(),
      end_user_id: user,
      event,
      idempotency_key: uuid(random),
      context: { originating_request_id: requestId, ...(isNamed && { opener_index: index }) },
    })
    const sentAt = Math.min(at + random.below(20 * 60_000), now)
    events.push(record('opener_sent', sentAt))
    const rate = STYLE_RATES[styles[index] ?? RARE_STYLE] * TONE_FACTORS[tone]
    const isReplied = isRare ? Math.floor(startsAt / DAY_MS) % 9 < 5 : random.chance(rate)
    const repliedAt = sentAt - Math.log(1 - random.uniform()) * MEAN_REPLY_HOURS * HOUR_MS
    if (isReplied && repliedAt < now) events.push(record('conversation_reply', repliedAt))
  }
  return { written, events }
}

/** On which days the rare style was tried, as many calls as are left of them. */
export function planRareCalls(/** @type {number} */ dayCount) {
  return Array.from({ length: dayCount }, (_, index) =>
    index >= dayCount - 1 - RARE_SENDS && index < dayCount - 1 ? 1 : 0,
  )
}

/** How many events come of a call, in the mean. */
export const EVENTS_PER_CALL = 1.28

/** @returns {(keyof typeof STYLE_RATES)[]} */
function pickStyles(/** @type {import('./random.js').Random} */ random) {
  const first = random.below(COMMON_STYLES.length)
  return [0, 1, 2].map(
    (offset) => COMMON_STYLES[(first + offset) % COMMON_STYLES.length] ?? 'open_question',
  )
}

function uuid(/** @type {import('./random.js').Random} */ random) {
  const digits = random.hex(32)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-')
}
