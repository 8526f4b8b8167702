import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { adminCommand } from '../../src/cli/admin-command.js'
import { readConfig } from '../../src/config/config.js'
import { databaseEnvironment, dropTestDatabase } from '../_database.js'

export interface DataFolder {
  /** Temporary folder of the test, which contains the data folder. */
  root: string
  dataDir: string
  /** Runs an admin command and returns its output. */
  admin: (...args: string[]) => Promise<string>
  remove: () => Promise<void>
}

/** Creates a data folder with the organisation `Acme` and a key. */
export async function createDataFolder(): Promise<DataFolder> {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), 'backup-'))
  const dataDir = path.join(root, 'data')
  const admin = async (...args: string[]) => {
    let printed = ''
    const print = (text: string) => void (printed += text)
    const config = readConfig({
      ENV_FILE: '',
      DATA_DIR: dataDir,
      ...(await databaseEnvironment(dataDir)),
    })
    await adminCommand(config, { out: print, error: print }).parseAsync(args, { from: 'user' })
    return printed
  }
  await admin('org', 'create', 'Acme')
  await admin('key', 'create', 'Acme')
  return {
    root,
    dataDir,
    admin,
    remove: async () => {
      await dropTestDatabase(dataDir)
      await fs.rm(root, { recursive: true })
    },
  }
}
