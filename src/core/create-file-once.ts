import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'

/**
 * Atomically creates a file (mode 600) unless it exists. Linking fails if the name is taken, so of two concurrent first
 * starts one writes the file and both use it.
 */
export async function createFileOnce(file: string, content: () => string | Buffer): Promise<void> {
  if (await exists(file)) return
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`
  await fs.writeFile(draft, content(), { mode: 0o600, flag: 'wx', flush: true })
  try {
    await fs.link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await fs.rm(draft)
  }
}

function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  )
}
