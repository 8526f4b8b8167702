import type { Database } from '../database/open-database.js'
import { findScopeId } from '../events/event-scope.js'
import type { FitRequest } from './fit-request.js'
import type { EvidenceRow } from './evidence.js'
import { fitPosterior, type Posterior, type PriorMean } from './fit-posterior.js'
import { fitPooledPrior } from './pooled-prior.js'
import { readEvidence } from './read-evidence.js'
import { readSettingsOf } from './read-settings.js'
import { learningDay, learntDays } from './settled-days.js'

/**
 * What an environment has learnt up to a day. It depends on nothing but the counts and the settings, so every process that
 * uses the database comes to the same.
 * @param options.isPooled - whether live environments of other organisations may give the prior
 */
export async function fitEnvironment(
  db: Database,
  { scope, settings, today, isPooled }: FitRequest & { isPooled: boolean },
): Promise<Posterior> {
  const scopeId = await findScopeId(db, scope)
  const rows = await readEvidence(db, { scopeId, ...learntDays(settings, today) })
  const day = learningDay(settings, today)
  const prior =
    isPooled && scope.environment === 'live'
      ? await poolOthers(db, { organizationId: scope.organizationId, today: day })
      : undefined
  return fitPosterior(rows, { today: day, prior })
}

/**
 * The prior from the live environments of other organisations. Test environments neither give nor receive: events of test
 * keys cost nothing to make.
 */
async function poolOthers(
  db: Database,
  { organizationId, today }: { organizationId: string; today: number },
): Promise<PriorMean> {
  const others = await db
    .selectFrom('event_scopes')
    .select('id')
    .where('environment', '=', 'live')
    .where('organization_id', '<>', organizationId)
    .orderBy('id')
    .execute()
  const evidence: EvidenceRow[][] = []
  for (const { id } of others) {
    const settings = await readSettingsOf(db, id)
    if (settings.state === 'off') continue
    evidence.push(await readEvidence(db, { scopeId: id, ...learntDays(settings, today) }))
  }
  return fitPooledPrior(evidence, { today })
}
