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
}

/** What a call adds to the counts of a day and style, in sixtieths of an opener. */
export interface StyleShare {
  day: number
  style: Style
  sent: number
  replied: number
}

/**
 * How the openers of one call count. The result depends only on the outcomes, not on the order of events.
 *
 * An opener counts once as sent, on the day of its earliest `opener_sent`, and at most once as replied to. An opener that
 * was sent without an index counts in equal shares for each style of the call, and so does its reply, with or without an
 * index. A reply without an index counts in equal shares for the openers that were reported as sent. A reply to an opener
 * that was not reported as sent counts once that report arrives.
 * @param styles - style of each opener of the call, 1 to 5
 * @param outcomes - by opener index, `UNNAMED_OPENER` among them
 */
export function shareAmongStyles(
  styles: readonly Style[],
  outcomes: ReadonlyMap<number, OpenerOutcome>,
): StyleShare[] {
  const unnamed = outcomes.get(UNNAMED_OPENER) ?? { sentDay: null, replied: false }
  const named = [...outcomes].filter(([index]) => index !== UNNAMED_OPENER)
  return [...shareNamed(styles, named, unnamed), ...shareUnnamed(styles, named, unnamed)]
}

type NamedOutcome = readonly [index: number, outcome: OpenerOutcome]

function shareNamed(
  styles: readonly Style[],
  named: readonly NamedOutcome[],
  unnamed: OpenerOutcome,
): StyleShare[] {
  const sent = named.flatMap(([index, { sentDay, replied }]) => {
    const style = styles[index]
    return sentDay === null || style === undefined ? [] : [{ day: sentDay, style, replied }]
  })
  const hasUnnamedReply = unnamed.replied && unnamed.sentDay === null
  const unnamedReply = hasUnnamedReply ? SHARES_PER_OPENER / sent.length : 0
  return sent.map(({ day, style, replied }) => ({
    day,
    style,
    sent: SHARES_PER_OPENER,
    replied: replied ? SHARES_PER_OPENER : unnamedReply,
  }))
}

function shareUnnamed(
  styles: readonly Style[],
  named: readonly NamedOutcome[],
  unnamed: OpenerOutcome,
): StyleShare[] {
  const day = unnamed.sentDay
  if (day === null) return []
  const replied =
    unnamed.replied || named.some(([, outcome]) => outcome.replied && outcome.sentDay === null)
  const distinct = [...new Set(styles)]
  const share = SHARES_PER_OPENER / distinct.length
  return distinct.map((style) => ({ day, style, sent: share, replied: replied ? share : 0 }))
}
