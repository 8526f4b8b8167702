import type { EventRecord } from '../../src/events/events-contract.js'
import type { Style, Tone } from '../../src/openers/styles.js'
import { DAY, WEEK } from './_event-store.js'

/** A call for openers in a test. */
export interface KnownCall {
  tone: Tone
  styles: readonly Style[]
}

/** Monday 00:00 UTC. */
const SOME_MONDAY = Date.UTC(2026, 0, 5)

/**
 * Sent and replied by style, computed from scratch from all events, opener by opener.
 * @param days - [first, last], in days since the epoch
 */
export function naiveReplyCounts(
  events: readonly EventRecord[],
  calls: ReadonlyMap<string, KnownCall>,
  { days, tone }: { days: readonly [number, number]; tone?: Tone | undefined },
): Partial<Record<Style, { sent: number; replied: number }>> {
  const counts: Partial<Record<Style, { sent: number; replied: number }>> = {}
  for (const [requestId, call] of calls) {
    if (tone !== undefined && call.tone !== tone) continue
    const about = events.filter((event) => event.context.originating_request_id === requestId)
    const sentEvents = about.filter((event) => event.event === 'opener_sent')
    const replies = about.filter((event) => event.event === 'conversation_reply')
    const sentIndexes = new Set(sentEvents.map((event) => event.context.opener_index))
    for (const index of sentIndexes) {
      const times = sentEvents
        .filter((event) => event.context.opener_index === index)
        .map((event) => Date.parse(event.ts))
      const day = Math.floor(Math.min(...times) / DAY)
      if (day < days[0] || day > days[1]) continue
      const namedReplies = new Set(replies.map((event) => event.context.opener_index))
      const hasUnnamedReply = namedReplies.delete(undefined)
      const styles = index === undefined ? [...new Set(call.styles)] : [call.styles[index]!]
      let replied: number
      if (index === undefined) {
        const strays = [...namedReplies].filter((named) => !sentIndexes.has(named))
        replied = hasUnnamedReply || strays.length > 0 ? 1 : 0
      } else if (namedReplies.has(index)) replied = 1
      else replied = hasUnnamedReply && !sentIndexes.has(undefined) ? 1 / sentIndexes.size : 0
      for (const style of styles) {
        const count = (counts[style] ??= { sent: 0, replied: 0 })
        count.sent += 1 / styles.length
        count.replied += replied / styles.length
      }
    }
  }
  return counts
}

/** How many end users of each first week are active in each later week. Weeks count from that of `SOME_MONDAY`. */
export function naiveRetention(events: readonly EventRecord[]): Map<number, Map<number, number>> {
  const weekOfEvent = (event: EventRecord) =>
    Math.floor((Date.parse(event.ts) - SOME_MONDAY) / WEEK)
  const cohorts = new Map<number, Map<number, number>>()
  for (const user of new Set(events.map((event) => event.end_user_id))) {
    const weeks = new Set(events.filter((event) => event.end_user_id === user).map(weekOfEvent))
    const first = Math.min(...weeks)
    const cohort = cohorts.get(first) ?? new Map<number, number>()
    for (const week of weeks) cohort.set(week - first, (cohort.get(week - first) ?? 0) + 1)
    cohorts.set(first, cohort)
  }
  return cohorts
}

export function mondayOf(week: number): number {
  return SOME_MONDAY + week * WEEK
}
