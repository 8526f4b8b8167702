import fs from 'node:fs/promises'
import path from 'node:path'
import { isPostgres } from '../database/dialect.js'
import { findWriteFailure } from '../database/explain-storage-failure.js'
import { insertKey, type KeyDeps } from '../organizations/api-key.js'
import { CAPABILITIES } from '../organizations/capability.js'
import { insertOrganization } from '../organizations/organization.js'
import { transactAudited } from '../organizations/transact-audited.js'
import type { Plans } from '../metering/plans.js'

export const FIRST_KEY_FILE = 'first-key'

export interface FirstOrganizationDeps extends KeyDeps {
  plans: Plans
  dataDir: string
}

/**
 * Creates the first organisation of an empty database, on the last (largest) plan of the plans file, with a test key for
 * all capabilities. The key is written to `first-key` in the data folder (mode 600). Of replicas that start at the same
 * time one does so; if it has no folder to write to, it creates no key that nobody would know.
 * @returns the key; undefined if the database has an organisation, or there is no folder for the key
 */
export async function createFirstOrganization(
  deps: FirstOrganizationDeps,
  now: number,
): Promise<string | undefined> {
  return transactAudited(deps.db, async (transaction) => {
    const any = await transaction.selectFrom('organizations').select('id').executeTakeFirst()
    if (any) return undefined
    const within = { ...deps, db: transaction }
    const act = { actor: 'system', now }
    const plan = [...deps.plans.keys()].at(-1) ?? ''
    const { id } = await insertOrganization(within, { name: 'First organisation', plan }, act)
    if (isPostgres(transaction) && !(await canWrite(deps.dataDir))) return undefined
    const { apiKey } = await insertKey(
      within,
      {
        organizationId: id,
        name: 'First key',
        environment: 'test',
        capabilities: CAPABILITIES,
      },
      act,
    )
    // Written before the commit, so that every committed key is also in the file.
    await writePrivately(path.join(deps.dataDir, FIRST_KEY_FILE), `${apiKey}\n`)
    return apiKey
  })
}

/** Whether the folder can be written; a replica may run on a read-only file system. */
async function canWrite(folder: string): Promise<boolean> {
  // What keeps it from being created keeps it from being written too.
  await fs.mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {})
  return (await findWriteFailure(folder)) === undefined
}

/** Replaces the file, because its mode is only set on creation. */
async function writePrivately(file: string, text: string): Promise<void> {
  await fs.rm(file, { force: true })
  await fs.writeFile(file, text, { mode: 0o600, flag: 'wx', flush: true })
}
