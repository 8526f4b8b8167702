import type { Database } from '../database/open-database.js'
import { ENVIRONMENTS, type Environment } from '../organizations/capability.js'

/** The environment that `?env=` names; without it, live if the organisation has a live key, else test. */
export async function chooseEnvironment(
  db: Database,
  organizationId: string,
  query: URLSearchParams,
): Promise<Environment> {
  const requested = ENVIRONMENTS.find((environment) => environment === query.get('env'))
  if (requested) return requested
  const liveKey = await db
    .selectFrom('api_keys')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('environment', '=', 'live')
    .limit(1)
    .executeTakeFirst()
  return liveKey ? 'live' : 'test'
}
