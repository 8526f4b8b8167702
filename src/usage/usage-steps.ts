import { sql, type RawBuilder } from 'kysely'
import { weekOf, weekStart } from '../events/calendar.js'

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

/** The steps in which usage is shown; all begin in UTC, weeks on Monday. */
export type UsageStep = 'hour' | 'day' | 'week'

interface StepSource {
  table: 'usage_hours' | 'usage_days'
  /** The column of the table that the steps are made of, and its length. */
  unit: string
  unitMs: number
  /** The step that a row belongs to. */
  step: RawBuilder<number>
  stepOf: (time: number) => number
  startOf: (step: number) => number
}

/** Where each step is read from. Steps are numbered from the epoch. */
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
