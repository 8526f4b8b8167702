import type { Config } from '../config/config.js'
import type { Database } from '../database/open-database.js'
import { dayOf, dayStart, isoWeekName, weekOfDay, weekStart } from '../events/calendar.js'
import { findScopeId, type EventScope } from '../events/event-scope.js'
import type { FitRequest } from './fit-request.js'
import type { BucketRow } from './evidence.js'
import { fitEnvironment } from './fit-environment.js'
import { NEEDED_EVIDENCE, type Posterior } from './fit-posterior.js'
import { createLearnedPolicy } from './learned-policy.js'
import type { ArmCounts, LearningReport, UpliftReport, WeekByArm } from './learning-report.js'
import type { Learner } from './learner.js'
import { readComparison } from './read-comparison.js'
import { summarizeEvidence } from './read-evidence.js'
import { readLearningSettings } from './read-settings.js'
import { comparedDays, learntDays, type DayRange } from './settled-days.js'
import { measureUplift } from './uplift.js'

/** Later than any day; the largest integer of a column. */
const LAST_DAY = 2 ** 31 - 1

export interface ReportParts {
  db: Database
  config: Pick<Config, 'learning'>
  /** The learner of a server; otherwise, in a command, this thread computes what was learnt. */
  learner?: Pick<Learner, 'fit'> | undefined
}

/**
 * What an environment has learnt and what that is worth. Reads counts by day, so its cost grows with the number of days and
 * not with the number of openers.
 * @param now - milliseconds since the epoch
 */
export async function readLearningReport(
  { db, config, learner }: ReportParts,
  scope: EventScope,
  now: number,
): Promise<LearningReport> {
  const { isAllowed, isPooled } = config.learning
  const today = dayOf(now)
  const settings = await readLearningSettings(db, scope)
  const request = { scope, settings, today }
  const posterior = learner
    ? (await learner.fit(request)).posterior
    : await fitEnvironment(db, { ...request, isPooled })
  const policy = createLearnedPolicy(posterior)
  const buckets = await readComparison(db, request)
  return {
    isAllowed,
    settings,
    evidence: await reportEvidence(db, { ...request, posterior }),
    uplift: reportUplift(comparedDays(settings, today), buckets),
    weeks: groupByWeek(buckets),
    styles: policy.styleEstimates(),
    traits: policy.traitEstimates(),
    exploration: policy.exploration(),
  }
}

async function reportEvidence(
  db: Database,
  { scope, settings, today, posterior }: FitRequest & { posterior: Posterior },
): Promise<LearningReport['evidence']> {
  const scopeId = await findScopeId(db, scope)
  const { from, to } = learntDays(settings, today)
  const settled = await summarizeEvidence(db, { scopeId, from, to })
  const last = settings.learnsUntilDay ?? LAST_DAY
  const waiting = await summarizeEvidence(db, { scopeId, from: Math.max(from, to + 1), to: last })
  const { sent, firstDay } = settled
  return {
    sent,
    effective: posterior.effective,
    waiting: waiting.sent,
    needed: NEEDED_EVIDENCE,
    since: firstDay === undefined ? undefined : dayStart(firstDay),
  }
}

function reportUplift({ from }: DayRange, buckets: readonly BucketRow[]): UpliftReport {
  const first = from > 0 ? from : buckets[0]?.day
  return { since: first === undefined ? undefined : dayStart(first), ...measureUplift(buckets) }
}

/** Weeks without openers between the first and the last one are included. */
function groupByWeek(buckets: readonly BucketRow[]): WeekByArm[] {
  const first = buckets[0]
  const last = buckets.at(-1)
  if (!first || !last) return []
  const [from, to] = [weekOfDay(first.day), weekOfDay(last.day)]
  const weeks = Array.from({ length: to - from + 1 }, (_, offset) => ({
    week: isoWeekName(from + offset),
    startsAt: weekStart(from + offset),
    learned: { sent: 0, replied: 0 },
    control: { sent: 0, replied: 0 },
  }))
  for (const { day, arm, sent, replied } of buckets) {
    const counts = weeks[weekOfDay(day) - from]?.[arm] as ArmCounts
    counts.sent += sent
    counts.replied += replied
  }
  return weeks
}
