import type { ReplyRate } from '../../events/reply-rate.js'

/** A week with an interval wider than 30 points carries no information. */
const MAX_INTERVAL_WIDTH = 0.3

/** Whether a rate is certain enough to draw and to set the scale of a chart. */
export function isPlottable({ interval }: Pick<ReplyRate, 'interval'>): boolean {
  return interval !== null && interval.high - interval.low < MAX_INTERVAL_WIDTH
}
