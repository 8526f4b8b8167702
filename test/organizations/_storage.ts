import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Database, DatabasePlace } from '../../src/database/open-database.js'
import { createKey, type IssuedKey, type NewKey } from '../../src/organizations/api-key.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import { createOrganization } from '../../src/organizations/organization.js'
import { readPlans, type Plans } from '../../src/metering/plans.js'
import { openServerSecret, type ServerSecret } from '../../src/organizations/server-secret.js'
import { dropTestDatabase, openTestDatabase, postgresOf } from '../_database.js'

/** Noon in the middle of a month, far from day and month boundaries. */
export const NOON = Date.UTC(2026, 6, 15, 12)
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export interface StorageFixture extends DatabasePlace {
  db: Database
  secret: ServerSecret
  plans: Plans
  /** The organisation `Example` on the plan `free`. */
  organizationId: string
  issueKey(overrides?: Partial<NewKey>, now?: number): Promise<IssuedKey>
  remove(): Promise<void>
}

export function act(now = NOON): { actor: string; now: number } {
  return { actor: 'cli:tester', now }
}

/** Opens a temporary data folder with a database and one organisation. */
export async function openStorage(): Promise<StorageFixture> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'organizations-'))
  const db = await openTestDatabase(dataDir)
  const secret = await openServerSecret(dataDir)
  const plans = await readPlans({ dataDir, plansFile: undefined })
  const organization = await createOrganization(
    { db, secret, plans },
    { name: 'Example', plan: 'free' },
    act(),
  )
  const organizationId = organization.id
  return {
    dataDir,
    postgres: await postgresOf(dataDir),
    db,
    secret,
    plans,
    organizationId,
    issueKey: (overrides, now) =>
      createKey(
        { db, secret },
        {
          organizationId,
          name: 'Backend',
          environment: 'test',
          capabilities: CAPABILITIES,
          ...overrides,
        },
        act(now),
      ),
    remove: async () => {
      await db.destroy()
      await dropTestDatabase(dataDir)
      await fs.rm(dataDir, { recursive: true })
    },
  }
}
