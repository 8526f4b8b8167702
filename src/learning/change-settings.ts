import { AdminError } from '../core/admin-error.js'
import { lockFor } from '../database/lock-for.js'
import type { Database } from '../database/open-database.js'
import { transactDurably } from '../database/transact-durably.js'
import { dayOf } from '../events/calendar.js'
import { ensureScopeId, type EventScope } from '../events/event-scope.js'
import type { AuditDeps } from '../organizations/audit-chain.js'
import { recordAudit, type Act, type AuditAction } from '../organizations/audit-log.js'
import type { Learner } from './learner.js'
import { CONTROL_PERCENT, type LearningSettings, type LearningState } from './learning-settings.js'
import { readSettingsOf } from './read-settings.js'

/** What to change; the rest stays. */
export interface LearningChange {
  state?: LearningState | undefined
  /** A whole number from 5 to 50. Another share than before restarts the comparison. */
  controlPercent?: number | undefined
  /** Deletes what was learnt and restarts the comparison; switches nothing on or off. */
  reset?: boolean | undefined
}

export interface ChangeParts extends AuditDeps {
  /** The learner of this process, which then applies the change at once; others notice within a minute. */
  learner?: Pick<Learner, 'notice' | 'fit'> | undefined
}

/**
 * Changes the settings of an environment and records each change in the audit log; what is as before is not a change.
 *
 * Days are counted whole: after a reset, openers sent from the next day (UTC) on are learnt from, and a restarted
 * comparison begins then. Openers of the day of the change would mix both times.
 * @returns the settings after the change
 * @throws AdminError `invalid` for a control share out of range
 */
export async function changeLearning(
  { db, secret, learner }: ChangeParts,
  scope: EventScope,
  change: LearningChange,
  act: Act,
): Promise<LearningSettings> {
  refuseControlPercent(change.controlPercent)
  const settings = await transactDurably(db, async (transaction) => {
    const scopeId = await ensureScopeId(transaction, scope)
    await lockFor(transaction, 'events', scopeId)
    const before = await readSettingsOf(transaction, scopeId)
    const after = applyChange(before, change, dayOf(act.now))
    const entries = describeChange(before, after, change)
    if (entries.length === 0) return before
    await writeSettings(transaction, scopeId, after)
    if (change.reset) await deleteEvidence(transaction, scopeId)
    for (const { action, details } of entries) {
      const event = { action, details: { environment: scope.environment, ...details } }
      const { organizationId } = scope
      const deps = { db: transaction, secret }
      await recordAudit(deps, { ...event, organizationId, subject: organizationId }, act)
    }
    return after
  })
  learner?.notice(scope)
  return settings
}

function refuseControlPercent(percent: number | undefined): void {
  const { min, max } = CONTROL_PERCENT
  if (percent === undefined) return
  if (Number.isInteger(percent) && percent >= min && percent <= max) return
  throw new AdminError('invalid', `The control share must be a whole number from ${min} to ${max}.`)
}

function applyChange(
  before: LearningSettings,
  { state = before.state, controlPercent = before.controlPercent, reset }: LearningChange,
  today: number,
): LearningSettings {
  const restarts = reset || controlPercent !== before.controlPercent
  return {
    state,
    controlPercent,
    learnsFromDay: reset ? today + 1 : before.learnsFromDay,
    learnsUntilDay: state === 'paused' ? (before.learnsUntilDay ?? today) : null,
    measuredFromDay: restarts ? today + 1 : before.measuredFromDay,
  }
}

interface ChangeEntry {
  action: AuditAction
  details?: Record<string, unknown>
}

function describeChange(
  before: LearningSettings,
  after: LearningSettings,
  { reset }: LearningChange,
): ChangeEntry[] {
  const entries: ChangeEntry[] = []
  if (after.state !== before.state) {
    entries.push({
      action: 'learning.state_changed',
      details: { from: before.state, to: after.state },
    })
  }
  if (after.controlPercent !== before.controlPercent) {
    entries.push({
      action: 'learning.control_share_changed',
      details: { from: before.controlPercent, to: after.controlPercent },
    })
  }
  if (reset) entries.push({ action: 'learning.reset' })
  return entries
}

async function writeSettings(
  db: Database,
  scopeId: number,
  settings: LearningSettings,
): Promise<void> {
  const row = {
    state: settings.state,
    control_percent: settings.controlPercent,
    learns_from_day: settings.learnsFromDay,
    learns_until_day: settings.learnsUntilDay,
    measured_from_day: settings.measuredFromDay,
  }
  await db
    .insertInto('learning_settings')
    .values({ scope_id: scopeId, ...row })
    .onConflict((conflict) => conflict.column('scope_id').doUpdateSet(row))
    .execute()
}

/** Events about openers sent earlier may still arrive; from `learnsFromDay` on they are not counted. */
async function deleteEvidence(db: Database, scopeId: number): Promise<void> {
  await db.deleteFrom('learning_evidence').where('scope_id', '=', scopeId).execute()
  await db.deleteFrom('learning_buckets').where('scope_id', '=', scopeId).execute()
}
