import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../config/config.js'
import { lockDataFolder } from '../database/lock-data-folder.js'
import { databaseFile, openDatabase, UNFINISHED_RESTORE } from '../database/open-database.js'
import { checkServerSecret } from '../organizations/check-server-secret.js'
import { checkPlansInUse, readPlans } from '../metering/plans.js'
import { openServerSecret, secretFileOf } from '../organizations/server-secret.js'
import {
  BackupError,
  DATABASE_COPY,
  PLANS_COPY,
  readCheckedManifest,
  SECRET_COPY,
  type BackupManifest,
} from './backup-manifest.js'

export interface Restored {
  manifest: BackupManifest
  /** Where what was in the data folder before lies now; undefined when nothing was. */
  replaced: string | undefined
}

/**
 * Puts a backup in the place of what the data folder holds, which is kept in a folder beside. Nothing is touched before
 * the backup was found whole, sound, of this or an older version, and fitting its secret and plans.
 * @throws BackupError, and DataFolderInUseError while a server runs
 */
export async function restoreBackup(
  { dataDir, plansFile }: Pick<Config, 'dataDir' | 'plansFile'>,
  folder: string,
  now: number,
): Promise<Restored> {
  const manifest = await readCheckedManifest(folder)
  const unlock = await lockDataFolder(dataDir)
  const stage = path.join(dataDir, 'restore.part')
  try {
    await fs.rm(stage, { recursive: true, force: true })
    await fs.mkdir(stage, { mode: 0o700 })
    await copyFiles(folder, stage, manifest)
    await addKeptSecret(dataDir, stage)
    await tryOut(stage, plansFile)
    const replaced = await exchange(dataDir, stage, now)
    return { manifest, replaced }
  } finally {
    await fs.rm(stage, { recursive: true, force: true })
    unlock()
  }
}

async function copyFiles(folder: string, stage: string, { files }: BackupManifest): Promise<void> {
  for (const name of Object.keys(files)) {
    await fs.copyFile(path.join(folder, name), path.join(stage, name))
    await fs.chmod(path.join(stage, name), 0o600)
  }
}

/** A backup without the secret is restored with the one that is here. */
async function addKeptSecret(dataDir: string, stage: string): Promise<void> {
  if (existsSync(path.join(stage, SECRET_COPY))) return
  if (!existsSync(secretFileOf(dataDir))) {
    throw new BackupError(
      `The backup was written without the server secret. Put the file that belongs to it at ${secretFileOf(dataDir)} first.`,
    )
  }
  await fs.copyFile(secretFileOf(dataDir), path.join(stage, SECRET_COPY))
}

/** Opens the stage as the server will open the data folder; that also brings an older schema up to date. */
async function tryOut(stage: string, plansFile: string | undefined): Promise<void> {
  const db = await openDatabase(stage)
  try {
    await checkServerSecret(db, await openServerSecret(stage))
    await checkPlansInUse(db, await readPlans({ dataDir: stage, plansFile }))
  } finally {
    await db.destroy()
  }
}

/** A process that dies in here leaves the mark, without which the next start would begin an empty database. */
async function exchange(dataDir: string, stage: string, now: number): Promise<string | undefined> {
  const mark = path.join(dataDir, UNFINISHED_RESTORE)
  await fs.writeFile(mark, '', { mode: 0o600, flush: true })
  const database = databaseFile(dataDir)
  const names = [DATABASE_COPY, SECRET_COPY, PLANS_COPY].filter((name) =>
    existsSync(path.join(stage, name)),
  )
  const old = [
    ...names.map((name) => path.join(dataDir, name)),
    `${database}-wal`,
    `${database}-shm`,
  ]
  const present = old.filter((file) => existsSync(file))
  const replaced = path.join(
    dataDir,
    `replaced-${new Date(now).toISOString().replaceAll(':', '-')}`,
  )
  if (present.length > 0) {
    await fs.mkdir(replaced, { mode: 0o700 })
    for (const file of present) await fs.rename(file, path.join(replaced, path.basename(file)))
  }
  for (const name of names) await fs.rename(path.join(stage, name), path.join(dataDir, name))
  await fs.rm(mark)
  return present.length > 0 ? replaced : undefined
}
