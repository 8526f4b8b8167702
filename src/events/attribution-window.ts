/** A reply counts for an opener if it came at most this many days after the day on which the opener was sent. */
export const ATTRIBUTION_DAYS = 3

/**
 * The last day whose openers are past their attribution window. Earlier readings would count openers whose reply is still on
 * its way as unanswered.
 * @param today - days since the epoch, as is the result
 */
export function lastSettledDay(today: number): number {
  return today - ATTRIBUTION_DAYS - 1
}
