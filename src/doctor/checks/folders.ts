import { constants } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../config/config.js'
import { failed, ok, type Finding } from '../check.js'

/** Whether the data folder can be written and the models be read by the user that runs this. */
export async function checkFolders({
  dataDir,
  modelsDir,
}: Pick<Config, 'dataDir' | 'modelsDir'>): Promise<Finding> {
  const data = await existingFolder(dataDir)
  // Root may write anywhere, except where nobody can: a file has to be made to know.
  const problem = await tryWriting(data)
  if (problem !== undefined) {
    return failed(
      `${data} cannot be written (${problem})`,
      `Give it to the user that runs the service: chown -R USER ${data}, or set DATA_DIR to another folder.`,
    )
  }
  const readable = await fs.access(modelsDir, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!readable) {
    return failed(
      `${modelsDir} cannot be read`,
      'Set MODELS_DIR to the folder of the model packs, and let the user that runs the service read it.',
    )
  }
  return ok(`${dataDir}, ${modelsDir}`)
}

/** The folder itself, or the nearest one above that is there and in which it would be created. */
export async function existingFolder(folder: string): Promise<string> {
  for (let place = folder; ; place = path.dirname(place)) {
    if ((await fs.stat(place).catch(() => undefined)) || place === path.dirname(place)) return place
  }
}

async function tryWriting(folder: string): Promise<string | undefined> {
  const file = path.join(folder, `.doctor-${process.pid}`)
  try {
    await fs.writeFile(file, '', { mode: 0o600, flag: 'wx' })
    await fs.rm(file)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}
