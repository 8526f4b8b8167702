import { constants } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../../core/error-code.js'
import { requireDiskSpace } from '../require-disk-space.js'
import type { FetchSettings, FetchTarget } from './fetch-target.js'
import { removePartialFile } from './partial-file.js'
import { SourceError } from './source-error.js'

/** Copies a local file, as a copy-on-write clone if the file system supports it. */
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
  await requireDiskSpace(target.partPath, found.size)
  await copyFile(absolute, target.partPath, constants.COPYFILE_FICLONE)
  settings.onProgress(found.size, found.size)
}
