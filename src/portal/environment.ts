import type { Database } from '../database/open-database.js'
import { ENVIRONMENTS, type Environment } from '../organizations/capability.js'

/** Which environment a page shows: as its address says, or else live as soon as there is a live key. */
export async function shownEnvironment(
  db: Database,
  organizationId: string,
  query: URLSearchParams,
): Promise<Environment> {
  const asked = ENVIRONMENTS.find((environment) => environment === query.get('env'))
  if (asked) return asked
  const liveKey = await db
    .selectFrom('api_keys')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('environment', '=', 'live')
    .limit(1)
    .executeTakeFirst()
  return liveKey ? 'live' : 'test'
}
