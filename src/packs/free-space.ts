import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { formatBytes } from './format-bytes.js'
import { PackError } from './pack-error.js'

/**
 * Refuses to begin what cannot end for want of space.
 * @throws PackError `storage` when fewer than `bytes` are free on the disk of `file`
 */
export async function requireSpace(file: string, bytes: number): Promise<void> {
  const folder = path.dirname(file)
  const { bavail, bsize, blocks } = await statfs(folder)
  // Some network file systems say nothing.
  if (blocks === 0 || bavail * bsize >= bytes) return
  throw new PackError(
    'storage',
    `The disk of ${folder} has ${formatBytes(bavail * bsize)} free, ${formatBytes(bytes)} are needed. ` +
      'Free some space or set MODELS_DIR to another disk.',
  )
}
