import { constants } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../config/config.js'
import type { DatabasePlace } from '../../database/open-database.js'
import { failed, ok, type Finding } from '../check.js'

/** Checks that the current user can write the data folder and read the models. */
export async function checkFolders({
  dataDir,
  postgres,
  modelsDir,
}: DatabasePlace & Pick<Config, 'modelsDir'>): Promise<Finding> {
  const data = await existingFolder(dataDir)
  // Permissions are not enough to know: root passes them even on a read-only file system. So this creates a file.
  const problem = postgres ? undefined : await tryWriting(data)
  if (problem !== undefined) {
    return failed(`${data} cannot be written (${problem})`, adviceFor(problem, data))
  }
  const readable = await fs.access(modelsDir, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!readable) {
    return failed(
      `${modelsDir} cannot be read`,
      'Set MODELS_DIR to the folder with the model packs, and make it readable for the user of the service.',
    )
  }
  return ok(postgres ? modelsDir : `${dataDir}, ${modelsDir}`)
}

function adviceFor(problem: string, folder: string): string {
  switch (problem) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Free some space on its disk.'
    case 'EROFS':
      return 'Mount its file system writable; one that turned read-only had a disk error (see dmesg).'
    default:
      return `Make the user of the service its owner (chown -R USER ${folder}), or set DATA_DIR to another folder.`
  }
}

/** Returns the folder, or its nearest existing ancestor if it does not exist. */
export async function existingFolder(folder: string): Promise<string> {
  for (let current = folder; ; current = path.dirname(current)) {
    const exists = (await fs.stat(current).catch(() => undefined)) !== undefined
    if (exists || current === path.dirname(current)) return current
  }
}

async function tryWriting(folder: string): Promise<string | undefined> {
  const file = path.join(folder, `.doctor-${process.pid}`)
  try {
    await fs.writeFile(file, '', { mode: 0o600, flag: 'wx' })
    await fs.rm(file)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}
