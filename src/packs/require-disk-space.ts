import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { formatBytes } from './format-bytes.js'
import { PackError } from './pack-error.js'

/**
 * Checks before a download that its result will fit.
 * @throws PackError `storage` if fewer than `bytes` are free on the disk of `file`
 */
export async function requireDiskSpace(file: string, bytes: number): Promise<void> {
  const folder = path.dirname(file)
  const { bavail, bsize, blocks } = await statfs(folder)
  // Some network file systems report zeros.
  if (blocks === 0 || bavail * bsize >= bytes) return
  throw new PackError(
    'storage',
    `The disk of ${folder} has ${formatBytes(bavail * bsize)} free, but ${formatBytes(bytes)} are needed. ` +
      'Free some space, or set MODELS_DIR to a folder on another disk.',
  )
}
