import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../database/open-database.js'
import { dayOf } from '../events/calendar.js'
import type { EventScope } from '../events/event-scope.js'
import { createLearnedPolicy, type LearnedPolicy } from './learned-policy.js'
import type { LearningSettings } from './learning-settings.js'
import { readLearningSettings } from './read-settings.js'
import type { Fit } from './start-fit-thread.js'

/** Settings that another process changed apply after this time. */
const SETTINGS_MAX_AGE_MS = 60_000
/** Late events change days that were read before; how soon they do matters little. A new day is read at once. */
const FIT_MAX_AGE_MS = 10 * 60_000

/** What a process knows of an environment. */
export interface Learnt {
  settings: LearningSettings
  policy: LearnedPolicy
  /** Milliseconds since the epoch. */
  fittedAt: number
  /** In a live environment, learnt openers get fewer replies than those of the control group, with confidence. */
  isHarmful: boolean
}

export interface LearnDeps {
  db: Database
  fit: Fit
}

interface LearnOptions {
  scope: EventScope
  /** What was known before; undefined at first. */
  before: Learnt | undefined
  /** Milliseconds since the epoch. */
  now: number
}

/** Whether an environment must be read again. */
export function isDue(readAt: number, now: number): boolean {
  return now - readAt >= SETTINGS_MAX_AGE_MS || dayOf(now) !== dayOf(readAt)
}

/** Reads the settings of an environment, and its counts where they may have changed. */
export async function learnEnvironment(
  { db, fit }: LearnDeps,
  { scope, before, now }: LearnOptions,
): Promise<Learnt> {
  const settings = await readLearningSettings(db, scope)
  if (before && isFresh(before, settings, now)) return { ...before, settings }
  const { posterior, isHarmful } = await fit({ scope, settings, today: dayOf(now) })
  return { settings, policy: createLearnedPolicy(posterior), fittedAt: now, isHarmful }
}

function isFresh(before: Learnt, settings: LearningSettings, now: number): boolean {
  return (
    isDeepStrictEqual(before.settings, settings) &&
    now - before.fittedAt < FIT_MAX_AGE_MS &&
    dayOf(now) === dayOf(before.fittedAt)
  )
}
