import { createHash } from 'node:crypto'
import type { DayPlan } from './plan-year.js'
import type { RandomSource } from './random-source.js'

const EVENTS_PER_USER = 9
const DAY_MS = 24 * 60 * 60 * 1_000
const MAX_LIFETIME_WEEKS = 52
/** Probability that an end user who has not left is active in a week. */
const WEEKLY_ACTIVITY = 0.72

/** Fraction of end users who have not left after some weeks; it falls quickly at first and then slowly. */
function survival(week: number): number {
  return 0.62 * week ** -0.55
}

/**
 * Invents end users who join, stay a while and leave.
 * @returns draws the hash of an end user who is active in the week of a time
 */
export function inventEndUsers(
  random: RandomSource,
  year: readonly DayPlan[],
  eventCount: number,
): (time: number) => string {
  const firstWeek = weekOf(year[0]!.day)
  const lastWeek = weekOf(year.at(-1)!.day) - firstWeek
  const active = Array.from({ length: lastWeek + 1 }, (): number[] => [])
  let userCount = 0
  const salt = random.hex(16)
  for (const { day, fraction } of year) {
    const newcomers = random.around((eventCount / EVENTS_PER_USER) * fraction)
    const week = weekOf(day) - firstWeek
    for (let newcomer = 0; newcomer < newcomers; newcomer++) {
      const user = userCount++
      active[week]!.push(user)
      const lifetime = drawLifetimeWeeks(random)
      for (let later = 1; later <= lifetime && week + later <= lastWeek; later++) {
        if (random.chance(WEEKLY_ACTIVITY)) active[week + later]!.push(user)
      }
    }
  }
  return (time) => {
    const users = active[weekOf(Math.floor(time / DAY_MS)) - firstWeek] ?? []
    const user = users[random.below(users.length)] ?? 0
    return createHash('sha256').update(`${salt} ${user}`).digest('hex')
  }
}

/** Weeks since the epoch that start on a Monday. */
function weekOf(day: number): number {
  return Math.floor((day + 3) / 7)
}

function drawLifetimeWeeks(random: RandomSource): number {
  const drawn = random.uniform()
  let week = 0
  while (week < MAX_LIFETIME_WEEKS && survival(week + 1) > drawn) week++
  return week
}
