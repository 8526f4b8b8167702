import { createHash } from 'node:crypto'

const EVENTS_PER_USER = 9
const DAY_MS = 24 * 60 * 60 * 1_000
const WEEKS_FOLLOWED = 52

/** Share of end users who are still there k weeks after their first; it fell quickly and then slowly. */
const survival = (/** @type {number} */ week) => 0.62 * week ** -0.55

/**
 * Invented end users who come, stay a while and leave.
 * @param {import('./random.js').Random} random
 * @param {readonly import('./year.js').DayPlan[]} year
 * @param {number} eventCount
 */
export function inventEndUsers(random, year, eventCount) {
  const weekOf = (/** @type {number} */ day) => Math.floor((day + 3) / 7)
  const firstWeek = weekOf(year[0]?.day ?? 0)
  const lastWeek = weekOf(year.at(-1)?.day ?? 0)
  /** @type {number[][]} */
  const active = Array.from({ length: lastWeek - firstWeek + 1 }, () => [])
  let count = 0
  const salt = random.hex(16)
  for (const { day, share } of year) {
    const newcomers = random.around((eventCount / EVENTS_PER_USER) * share)
    const week = weekOf(day) - firstWeek
    for (let newcomer = 0; newcomer < newcomers; newcomer++) {
      const user = count++
      active[week]?.push(user)
      const leavesAfter = drawLifetime(random)
      for (let k = 1; k <= leavesAfter && week + k <= lastWeek - firstWeek; k++) {
        // Who has not left is not there every week.
        if (random.chance(0.72)) active[week + k]?.push(user)
      }
    }
  }
  return {
    /** The hash of somebody who is there in the week of a time. */
    someone: (/** @type {number} */ time) => {
      const users = active[weekOf(Math.floor(time / DAY_MS)) - firstWeek] ?? []
      const user = users[random.below(users.length)] ?? 0
      return createHash('sha256').update(`${salt} ${user}`).digest('hex')
    },
  }
}

function drawLifetime(/** @type {import('./random.js').Random} */ random) {
  const drawn = random.uniform()
  let week = 0
  while (week < WEEKS_FOLLOWED && survival(week + 1) > drawn) week++
  return week
}
