import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import lockfile from 'proper-lockfile'
import { errorCode } from './error-code.js'
import { PackError } from './pack-error.js'

const POLL_MS = 200

/** Folder in MODELS_DIR for locks, remembered hashes and unfinished wheels; may be deleted at any time. */
export function cacheFolder(modelsDir: string): string {
  return path.join(modelsDir, '.cache')
}

export interface LockOptions {
  /** Ends the waiting. */
  signal?: AbortSignal | undefined
  /** Called once when another holds the lock. */
  onWait?: (() => void) | undefined
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
  options: LockOptions = {},
): Promise<T> {
  const folder = path.join(cacheFolder(modelsDir), 'locks')
  await mkdir(folder, { recursive: true })
  let lost: Error | undefined
  const release = await acquire(path.join(folder, encodeURIComponent(name)), options, (error) => {
    lost = error
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

async function acquire(
  file: string,
  { signal, onWait }: LockOptions,
  onCompromised: (error: Error) => void,
): Promise<() => Promise<void>> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await lockfile.lock(file, { realpath: false, onCompromised })
    } catch (error) {
      if (errorCode(error) !== 'ELOCKED') throw error
    }
    if (attempt === 0) onWait?.()
    await sleep(POLL_MS, undefined, { signal })
  }
}
