import type { IdentityProvider } from '../accounts/identity-provider.js'
import type { Config } from '../config/config.js'
import type { Database } from '../database/open-database.js'
import type { ChangeParts } from '../learning/change-settings.js'
import type { Plans } from '../metering/plans.js'
import type { ServerSecret } from '../organizations/server-secret.js'
import type { Log } from '../telemetry/log.js'

/** The parts of the service that the portal uses. */
export interface PortalServices {
  config: Pick<Config, 'publicUrl' | 'learning'>
  db: Database
  secret: ServerSecret
  plans: Plans
  log: Log
  /** Applies changed settings at once. */
  learner?: ChangeParts['learner']
  /** Milliseconds since the epoch. */
  clock: () => number
  /** Undefined unless the operator configured single sign-on. */
  identityProvider: IdentityProvider | undefined
  /** Whether the database holds invented data; every page then says so. */
  isSynthetic: boolean
}
