import { sql, type RawBuilder } from 'kysely'
import { weekOf, weekStart } from '../events/calendar.js'

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

/** Time steps of usage reports, in UTC; weeks start on Monday. */
export type UsageStep = 'hour' | 'day' | 'week'

interface StepSource {
  table: 'usage_hours' | 'usage_days'
  /** The time column of the table, and the length of its unit. */
  unit: string
  unitMs: number
  /** SQL for the step that a row belongs to. */
  step: RawBuilder<number>
  stepOf: (time: number) => number
  startOf: (step: number) => number
}

/** How each step is read from the database. Steps are numbered from the epoch. */
export const USAGE_STEPS: Record<UsageStep, StepSource> = {
  hour: {
    table: 'usage_hours',
    unit: 'hour',
    unitMs: HOUR_MS,
    step: sql<number>`hour`,
    stepOf: (time) => Math.floor(time / HOUR_MS),
    startOf: (hour) => hour * HOUR_MS,
  },
  day: {
    table: 'usage_days',
    unit: 'day',
    unitMs: DAY_MS,
    step: sql<number>`day`,
    stepOf: (time) => Math.floor(time / DAY_MS),
    startOf: (day) => day * DAY_MS,
  },
  week: {
    table: 'usage_days',
    unit: 'day',
    unitMs: DAY_MS,
    step: sql<number>`((day + 3) / 7)`,
    stepOf: weekOf,
    startOf: weekStart,
  },
}
