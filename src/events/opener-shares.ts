import type { Style } from '../openers/styles.js'

/** Index of events that name no opener. */
export const UNNAMED_OPENER = -1

/** Counts are in sixtieths of an opener, so that equal shares of up to five styles or openers are integers. */
export const SHARES_PER_OPENER = 60

/** What events reported about one opener, independent of their order. */
export interface OpenerOutcome {
  /** Day of the earliest `opener_sent`, in days since the epoch; null while there is none. */
  sentDay: number | null
  /** Whether there is a `conversation_reply`. */
  replied: boolean
  /** Day of the earliest one; null while there is none, and for replies that older versions stored. */
  repliedDay: number | null
}

export const NOTHING_REPORTED: OpenerOutcome = { sentDay: null, replied: false, repliedDay: null }

/** By opener index, `UNNAMED_OPENER` among them. */
export type CallOutcomes = ReadonlyMap<number, OpenerOutcome>

/** An opener of a call that was reported as sent, and its reply in sixtieths. */
export interface SentOpener {
  /** `UNNAMED_OPENER` when no event said which. */
  index: number
  day: number
  replied: number
}

/**
 * The openers of one call that count as sent. The result depends only on the outcomes, not on the order of events.
 *
 * An opener counts once as sent, on the day of its earliest `opener_sent`, and at most once as replied to. An opener that
 * was sent without an index is replied to by a reply with or without an index. A reply without an index counts in equal
 * shares for the openers that were reported as sent. A reply to an opener that was not reported as sent counts once that
 * report arrives.
 * @param isReply - whether an outcome has a reply that counts for an opener sent on a day
 */
export function listSentOpeners(
  outcomes: CallOutcomes,
  isReply: (outcome: OpenerOutcome, sentDay: number) => boolean,
): SentOpener[] {
  const unnamed = outcomes.get(UNNAMED_OPENER) ?? NOTHING_REPORTED
  const named = [...outcomes].filter(([index]) => index !== UNNAMED_OPENER)
  const sent = named.filter(([, { sentDay }]) => sentDay !== null)
  const openers = sent.map(([index, outcome]) => {
    const day = outcome.sentDay as number
    const isShared = unnamed.sentDay === null && isReply(unnamed, day)
    const sharedReply = isShared ? SHARES_PER_OPENER / sent.length : 0
    return { index, day, replied: isReply(outcome, day) ? SHARES_PER_OPENER : sharedReply }
  })
  if (unnamed.sentDay === null) return openers
  const day = unnamed.sentDay
  const hasReply =
    isReply(unnamed, day) ||
    named.some(([, outcome]) => outcome.sentDay === null && isReply(outcome, day))
  return [...openers, { index: UNNAMED_OPENER, day, replied: hasReply ? SHARES_PER_OPENER : 0 }]
}

/** What a call adds to the counts of a day and style, in sixtieths of an opener. */
export interface StyleShare {
  day: number
  style: Style
  sent: number
  replied: number
}

/**
 * How the openers of one call count for the reply rates of styles, whenever the reply came. An opener that was sent without
 * an index counts in equal shares for each style of the call.
 * @param styles - style of each opener of the call, 1 to 5
 */
export function shareAmongStyles(styles: readonly Style[], outcomes: CallOutcomes): StyleShare[] {
  const distinct = [...new Set(styles)]
  return listSentOpeners(outcomes, ({ replied }) => replied).flatMap(({ index, day, replied }) => {
    if (index !== UNNAMED_OPENER) {
      const style = styles[index]
      return style === undefined ? [] : [{ day, style, sent: SHARES_PER_OPENER, replied }]
    }
    const shares = { sent: SHARES_PER_OPENER / distinct.length, replied: replied / distinct.length }
    return distinct.map((style) => ({ day, style, ...shares }))
  })
}
