import os from 'node:os'
import { InvalidArgumentError } from 'commander'
import type { Config } from '../config/config.js'
import { explainStorageFailure } from '../database/explain-storage-failure.js'
import { openDatabase, type Database, type DatabasePlace } from '../database/open-database.js'
import { AdminError } from '../core/admin-error.js'
import type { Act } from '../organizations/audit-log.js'
import { openSecretOf, type SecretPlace } from '../organizations/check-server-secret.js'
import { findOrganization, type Organization } from '../organizations/organization.js'
import { readPlans, type Plans } from '../metering/plans.js'
import type { ServerSecret } from '../organizations/server-secret.js'

/** What a command needs. It uses the database at the same time as a running server. */
export interface AdminSession {
  db: Database
  secret: ServerSecret
  plans: Plans
  act: Act
}

/** Runs a command and prints the text it returns. */
export type RunAdmin = (work: (session: AdminSession) => Promise<string>) => Promise<void>

/**
 * Opens a session for one command and closes it afterwards.
 * @throws OperatorError
 */
export async function withAdminSession<T>(
  config: DatabasePlace & SecretPlace & Pick<Config, 'plansFile' | 'requireDatabase'>,
  work: (session: AdminSession) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(config.dataDir, {
    mustExist: config.requireDatabase,
    postgres: config.postgres,
  })
  try {
    const secret = await openSecretOf(db, config)
    const plans = await readPlans(config)
    return await work({ db, secret, plans, act: { actor: actorName(), now: Date.now() } })
  } catch (error) {
    throw await explainStorageFailure(error, config)
  } finally {
    await db.destroy()
  }
}

/** @throws AdminError `not_found` */
export async function requireOrganization(db: Database, idOrName: string): Promise<Organization> {
  const organization = await findOrganization(db, idOrName)
  if (organization) return organization
  throw new AdminError('not_found', 'There is no such organisation. `org list` lists them.')
}

/** Parses the value of an option that must be a positive integer. */
export function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0 && count < 1_000_000) return count
  throw new InvalidArgumentError('It must be a positive whole number.')
}

function actorName(): string {
  try {
    return `cli:${os.userInfo().username}`
  } catch {
    // In a container the user may have an id but no name.
    return `cli:${process.getuid?.() ?? 'unknown'}`
  }
}
