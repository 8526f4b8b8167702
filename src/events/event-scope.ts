import type { Database } from '../database/open-database.js'
import { prepareQuery } from '../database/prepare-query.js'
import type { Environment } from '../organizations/capability.js'

/** An organisation in one of its environments. Events and usage of different scopes never mix. */
export interface EventScope {
  organizationId: string
  environment: Environment
}

/** Returned by `findScopeId` for a scope without events and calls; no row has this id. */
const NO_SCOPE = 0

/** The id of a scope in the tables of events and usage, or `NO_SCOPE`. */
export async function findScopeId(db: Database, scope: EventScope): Promise<number> {
  const { rows } = await selectScope(db, scope)
  return rows[0]?.id ?? NO_SCOPE
}

const selectScope = prepareQuery((db, scope: EventScope) =>
  db
    .selectFrom('event_scopes')
    .select('id')
    .where('organization_id', '=', scope.organizationId)
    .where('environment', '=', scope.environment),
)

/** Like `findScopeId`, but inserts the scope if it has no id yet. Processes that insert it at the same time get the same id. */
export async function ensureScopeId(db: Database, scope: EventScope): Promise<number> {
  const known = await findScopeId(db, scope)
  if (known !== NO_SCOPE) return known
  const added = await db
    .insertInto('event_scopes')
    .values({ organization_id: scope.organizationId, environment: scope.environment })
    .onConflict((conflict) => conflict.columns(['organization_id', 'environment']).doNothing())
    .returning('id')
    .executeTakeFirst()
  // On PostgreSQL the insert waits for another one of the same scope, which is visible then.
  return added?.id ?? findScopeId(db, scope)
}
