import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import lockfile from 'proper-lockfile'
import { errorCode } from '../core/error-code.js'
import { PackError } from './pack-error.js'

const POLL_MS = 200

/** Folder in MODELS_DIR for locks, cached hashes, embeddings of captions and wheels in progress; may be deleted at any time. */
export function cacheFolder(modelsDir: string): string {
  return path.join(modelsDir, '.cache')
}

export interface LockOptions {
  /** Aborts the wait. */
  signal?: AbortSignal | undefined
  /** Called once if the lock is taken. */
  onWait?: (() => void) | undefined
}

/**
 * Runs `work` while holding the lock of that name, across processes. Locks of a dead process expire after ten seconds.
 * @throws PackError `pull_failed` if the lock was lost, for instance while the machine slept
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
      throw new PackError('pull_failed', `Another process took over ${name}. Pull it again.`, {
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
