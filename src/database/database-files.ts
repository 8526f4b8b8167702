import fs from 'node:fs'

/** The log holds commits that the database file does not have yet; both belong together. */
const COMMITTED = ['', '-wal'] as const
/** Shared memory of the connections: without it, another program would not see the locks of this one. */
const SHARED = ['-shm'] as const

interface FileIdentity {
  file: string
  device: number
  inode: number
}

/**
 * The files of an open database. SQLite keeps writing into a file whose name was deleted or given to another one, so
 * what it commits there is lost with the process.
 */
export class DatabaseFiles {
  readonly #committed: readonly FileIdentity[]
  readonly #shared: readonly FileIdentity[]

  /** @param file - an open database; its log exists from the first transaction on */
  constructor(file: string) {
    const identify = (suffix: string): FileIdentity[] => {
      const found = fs.statSync(file + suffix, { throwIfNoEntry: false })
      return found ? [{ file: file + suffix, device: found.dev, inode: found.ino }] : []
    }
    this.#committed = COMMITTED.flatMap(identify)
    this.#shared = SHARED.flatMap(identify)
  }

  /**
   * Whether the names still belong to the files that hold what is committed, and the database was not emptied. It runs for every
   * write and costs a microsecond or two a file.
   */
  keepCommits(): boolean {
    const database = this.#committed[0]
    if (!database || !isSame(database, { isEmptyAllowed: false })) return false
    const log = this.#committed[1]
    return log === undefined || isSame(log, { isEmptyAllowed: true })
  }

  /** Whether the names still belong to all open files. */
  areInPlace(): boolean {
    return (
      this.keepCommits() && this.#shared.every((file) => isSame(file, { isEmptyAllowed: true }))
    )
  }
}

function isSame(
  { file, device, inode }: FileIdentity,
  { isEmptyAllowed }: { isEmptyAllowed: boolean },
): boolean {
  const found = statOrMissing(file)
  if (!found || found.ino !== inode || found.dev !== device) return false
  return isEmptyAllowed || found.size > 0
}

/** A folder on the way that is gone, or not readable any more, is as good as a missing file. */
function statOrMissing(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
