import fs from 'node:fs/promises'
import path from 'node:path'
import { transactDurably } from '../database/transact-durably.js'
import { insertKey, type KeyDeps } from '../organizations/api-key.js'
import { CAPABILITIES } from '../organizations/capability.js'
import { insertOrganization } from '../organizations/organization.js'
import type { Plans } from '../metering/plans.js'

const FIRST_KEY_FILE = 'first-key'

export interface FirstRunDeps extends KeyDeps {
  plans: Plans
  dataDir: string
}

/**
 * Gives a database without organisations a first one, on the last and so the largest plan of the file, with a test
 * key for everything. The key is written to `first-key` in the data folder (mode 600) and returned; undefined on
 * every later start.
 */
export async function createFirstOrganization(
  deps: FirstRunDeps,
  now: number,
): Promise<string | undefined> {
  return transactDurably(deps.db, async (transaction) => {
    const any = await transaction.selectFrom('organizations').select('id').executeTakeFirst()
    if (any) return undefined
    const within = { ...deps, db: transaction }
    const act = { actor: 'system', now }
    const plan = [...deps.plans.keys()].at(-1) ?? ''
    const { id } = await insertOrganization(within, { name: 'First organisation', plan }, act)
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
    // Written before the commit: a key that exists can be read by its owner.
    await writePrivately(path.join(deps.dataDir, FIRST_KEY_FILE), `${apiKey}\n`)
    return apiKey
  })
}

/** The mode of a file is only set when it is created. */
async function writePrivately(file: string, text: string): Promise<void> {
  await fs.rm(file, { force: true })
  await fs.writeFile(file, text, { mode: 0o600, flag: 'wx', flush: true })
}
