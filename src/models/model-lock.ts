import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import lockfile from 'proper-lockfile'
import { PackError } from './pack-error.js'

/** Folder in MODELS_DIR for locks, remembered hashes and unfinished wheels; may be deleted at any time. */
export function cacheFolder(modelsDir: string): string {
  return path.join(modelsDir, '.cache')
}

/**
 * Runs `work` while no other process or call in this one works under the same name. A process that died
 * loses its locks after ten seconds.
 * @throws PackError `pull_failed` when the lock was lost, for instance while the machine slept
 */
export async function withModelLock<T>(
  modelsDir: string,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const folder = path.join(cacheFolder(modelsDir), 'locks')
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, encodeURIComponent(name))
  let lost: Error | undefined
  const release = await lockfile.lock(file, {
    realpath: false,
    retries: { forever: true, minTimeout: 100, maxTimeout: 1_000 },
    onCompromised: (error) => {
      lost = error
    },
  })
  try {
    const result = await work()
    if (lost) {
      throw new PackError('pull_failed', `Another process took over ${name}. Run the pull again.`, {
        cause: lost,
      })
    }
    return result
  } finally {
    if (!lost) await release()
  }
}
