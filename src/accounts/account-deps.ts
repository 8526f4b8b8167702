import type { Database } from '../database/open-database.js'
import type { ServerSecret } from '../organizations/server-secret.js'

/** What the functions of this folder need to read accounts and check tokens. */
export interface AccountDeps {
  db: Database
  secret: ServerSecret
}
