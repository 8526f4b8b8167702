import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../config/config.js'
import { findUnsoundness } from '../database/check-soundness.js'
import { lockDataFolder } from '../database/lock-data-folder.js'
import { databaseFile, openDatabase, UNFINISHED_RESTORE } from '../database/open-database.js'
import { errorCode } from '../core/error-code.js'
import { findStorageFailure } from '../database/storage-failure.js'
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
import { replacedFolder } from './replaced-folder.js'

export interface Restored {
  manifest: BackupManifest
  /** Folder with the files that were replaced; undefined if there were none. */
  replaced: string | undefined
}

/**
 * Restores a backup into the data folder; the replaced files are moved to a folder in it. Before anything is replaced,
 * the backup is checked: complete, not corrupt, of this or an older version, with the right secret and plans.
 * @throws BackupError; DataFolderInUseError while a server runs
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
    await checkStage(stage, plansFile)
    const replaced = await replaceFiles(dataDir, stage, now)
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

/** A backup without the secret is restored with the secret in the data folder. */
async function addKeptSecret(dataDir: string, stage: string): Promise<void> {
  if (existsSync(path.join(stage, SECRET_COPY))) return
  if (!existsSync(secretFileOf(dataDir))) {
    throw new BackupError(
      `The backup does not contain the server secret. First put the secret that belongs to it at ${secretFileOf(dataDir)}.`,
    )
  }
  await fs.copyFile(secretFileOf(dataDir), path.join(stage, SECRET_COPY))
}

/** Reads the staged database completely, and opens it as the server will, which also migrates an older schema. */
async function checkStage(stage: string, plansFile: string | undefined): Promise<void> {
  const problem = findDamage(databaseFile(stage))
  if (problem !== undefined) {
    throw new BackupError(
      `The database of the backup is damaged (${problem}). Use another backup; nothing was changed.`,
    )
  }
  const db = await openDatabase(stage)
  try {
    await checkServerSecret(db, await openServerSecret(stage))
    await checkPlansInUse(db, await readPlans({ dataDir: stage, plansFile }))
  } finally {
    await db.destroy()
  }
}

function findDamage(file: string): string | undefined {
  try {
    return findUnsoundness(file)
  } catch (error) {
    const code = errorCode(error)
    if (findStorageFailure(code) === 'damaged') return code
    throw error
  }
}

/** If the process dies in here, the marker file keeps the next start from creating an empty database. */
async function replaceFiles(
  dataDir: string,
  stage: string,
  now: number,
): Promise<string | undefined> {
  const marker = path.join(dataDir, UNFINISHED_RESTORE)
  await fs.writeFile(marker, '', { mode: 0o600, flush: true })
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
  const replaced = replacedFolder(dataDir, now)
  if (present.length > 0) {
    await fs.mkdir(replaced, { mode: 0o700 })
    for (const file of present) await fs.rename(file, path.join(replaced, path.basename(file)))
  }
  for (const name of names) await fs.rename(path.join(stage, name), path.join(dataDir, name))
  await fs.rm(marker)
  return present.length > 0 ? replaced : undefined
}
