import type { Database } from '../database/open-database.js'
import { prepareQuery } from '../database/prepare-query.js'
import type { LearningSettingsTable } from '../database/schema.js'
import { findScopeId, type EventScope } from '../events/event-scope.js'
import { DEFAULT_SETTINGS, type LearningSettings, type LearningState } from './learning-settings.js'

/** The settings of an environment; the defaults, if its partner changed none. */
export async function readLearningSettings(
  db: Database,
  scope: EventScope,
): Promise<LearningSettings> {
  return readSettingsOf(db, await findScopeId(db, scope))
}

export async function readSettingsOf(db: Database, scopeId: number): Promise<LearningSettings> {
  const { rows } = await selectSettings(db, { scopeId })
  return rows[0] ? toSettings(rows[0]) : DEFAULT_SETTINGS
}

const selectSettings = prepareQuery((db, value: { scopeId: number }) =>
  db.selectFrom('learning_settings').selectAll().where('scope_id', '=', value.scopeId),
)

function toSettings(row: LearningSettingsTable): LearningSettings {
  return {
    state: row.state as LearningState,
    controlPercent: row.control_percent,
    learnsFromDay: row.learns_from_day,
    learnsUntilDay: row.learns_until_day,
    measuredFromDay: row.measured_from_day,
  }
}
