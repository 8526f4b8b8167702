import fs from 'node:fs/promises'
import BetterSqlite3 from 'better-sqlite3'
import { BackupError } from './backup-manifest.js'

/** 16 MiB with SQLite's default page size: large enough to be fast, small enough for frequent progress reports. */
const PAGES_PER_STEP = 4_096

export interface CopyProgress {
  donePages: number
  totalPages: number
}

/**
 * Copies a snapshot of a database that is in use, and checks the copy. Writers are not blocked. The copy runs in a read
 * transaction; without it, each write by another process would restart the copy.
 * Source: https://www.sqlite.org/backup.html, "File and Database Connection Locking"
 * @throws BackupError when the copy is corrupt
 */
export async function copyDatabase(
  source: string,
  copy: string,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<void> {
  const sqlite = new BetterSqlite3(source, { fileMustExist: true })
  try {
    // Created here because SQLite would use the mode that the umask leaves.
    await (await fs.open(copy, 'wx', 0o600)).close()
    sqlite.exec('begin')
    sqlite.prepare('select count(*) from sqlite_schema').get()
    await sqlite.backup(copy, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress({ donePages: totalPages - remainingPages, totalPages })
        return PAGES_PER_STEP
      },
    })
  } finally {
    sqlite.close()
  }
  leaveWalMode(copy)
  checkCopy(copy)
}

/** The copy inherits WAL mode from its source, and opening it would create two more files. */
function leaveWalMode(file: string): void {
  const sqlite = new BetterSqlite3(file, { fileMustExist: true })
  sqlite.pragma('journal_mode = delete')
  sqlite.close()
}

function checkCopy(file: string): void {
  const sqlite = new BetterSqlite3(file, { readonly: true })
  try {
    const [first] = sqlite.pragma('integrity_check(1)') as { integrity_check: string }[]
    if (first?.integrity_check === 'ok') return
    throw new BackupError(
      `The copy of the database is corrupt (${first?.integrity_check ?? 'no answer'}). ` +
        'Run `npm run admin -- doctor` to check the database itself.',
    )
  } finally {
    sqlite.close()
  }
}
