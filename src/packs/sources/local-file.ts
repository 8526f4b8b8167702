import { constants } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../error-code.js'
import { requireSpace } from '../free-space.js'
import type { FetchSettings, FetchTarget } from './fetch-target.js'
import { removePartialFile } from './partial-file.js'
import { SourceError } from './source-error.js'

/** Copies a file of this machine, sharing its blocks where the file system can. */
export async function copyLocalFile(
  sourcePath: string,
  target: FetchTarget,
  settings: FetchSettings,
): Promise<void> {
  const absolute = path.resolve(target.pack.folder, sourcePath)
  const found = await stat(absolute).catch((error: unknown) => {
    throw new SourceError(`${absolute} cannot be read (${errorCode(error)})`, { cause: error })
  })
  if (!found.isFile()) throw new SourceError(`${absolute} is not a file`)
  await removePartialFile(target.partPath)
  await requireSpace(target.partPath, found.size)
  await copyFile(absolute, target.partPath, constants.COPYFILE_FICLONE)
  settings.onProgress(found.size, found.size)
}
