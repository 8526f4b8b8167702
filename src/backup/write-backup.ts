import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../config/config.js'
import { databaseFile } from '../database/open-database.js'
import { plansFileOf } from '../metering/plans.js'
import { secretFileOf } from '../organizations/server-secret.js'
import {
  BackupError,
  DATABASE_COPY,
  PLANS_COPY,
  SECRET_COPY,
  writeManifest,
  type BackupFile,
  type BackupManifest,
} from './backup-manifest.js'
import { copyDatabase, type CopyProgress } from './copy-database.js'

export interface BackupOptions {
  /** Must not exist yet. */
  folder: string
  /** Without the secret, guessed keys cannot be tested against a stolen backup. No key works until it is restored. */
  withSecret: boolean
  onProgress?: (progress: CopyProgress) => void
}

/**
 * Writes the database, plans and server secret of a data folder into a new folder (mode 700); a server may be running.
 * The folder gets its name only when all files are checked and on the disk.
 * @throws BackupError
 */
export async function writeBackup(
  config: Pick<Config, 'dataDir' | 'plansFile'>,
  { folder, withSecret, onProgress }: BackupOptions,
): Promise<BackupManifest> {
  const source = databaseFile(config.dataDir)
  if (!existsSync(source)) {
    throw new BackupError(`There is no database in ${config.dataDir}. Check DATA_DIR.`)
  }
  if (existsSync(folder)) {
    throw new BackupError(`${folder} already exists. Choose a new folder.`)
  }
  const draft = `${folder}.${randomBytes(6).toString('hex')}.part`
  await fs.mkdir(draft, { recursive: true, mode: 0o700 })
  try {
    const createdAt = Date.now()
    await copyDatabase(source, path.join(draft, DATABASE_COPY), onProgress)
    const names: BackupFile[] = [DATABASE_COPY]
    const others: [BackupFile, string][] = [[PLANS_COPY, plansFileOf(config)]]
    if (withSecret) others.push([SECRET_COPY, secretFileOf(config.dataDir)])
    for (const [name, file] of others) {
      if (!existsSync(file)) continue
      await copyPrivately(file, path.join(draft, name))
      names.push(name)
    }
    const manifest = await writeManifest(draft, { createdAt, names })
    await syncFolder(draft)
    await fs.rename(draft, folder)
    await syncFolder(path.dirname(folder))
    return manifest
  } finally {
    await fs.rm(draft, { recursive: true, force: true })
  }
}

async function copyPrivately(from: string, to: string): Promise<void> {
  await fs.writeFile(to, await fs.readFile(from), { mode: 0o600, flag: 'wx', flush: true })
}

/** Syncs the directory entries of a folder to the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
