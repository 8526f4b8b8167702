import fs from 'node:fs/promises'
import BetterSqlite3 from 'better-sqlite3'
import { BackupError } from './backup-manifest.js'

/** 16 MiB with SQLite's usual page size: enough to be fast, little enough that progress is told often. */
const PAGES_A_STEP = 4_096

export interface CopyProgress {
  donePages: number
  totalPages: number
}

/**
 * Copies a database that others write to, as it is at the moment this begins, and checks the copy. Other writers
 * neither wait for it nor, as they would without the transaction held here, make it begin anew for ever.
 * Source: https://www.sqlite.org/backup.html, "File and Database Connection Locking"
 * @throws BackupError when the copy is not sound
 */
export async function copyDatabase(
  source: string,
  copy: string,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<void> {
  const sqlite = new BetterSqlite3(source, { fileMustExist: true })
  try {
    // SQLite creates a file with the mode that the umask leaves.
    await (await fs.open(copy, 'wx', 0o600)).close()
    sqlite.exec('begin')
    sqlite.prepare('select count(*) from sqlite_schema').get()
    await sqlite.backup(copy, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress({ donePages: totalPages - remainingPages, totalPages })
        return PAGES_A_STEP
      },
    })
  } finally {
    sqlite.close()
  }
  makeOneFile(copy)
  checkCopy(copy)
}

/** A copy is in WAL mode as its source is, and would leave two more files wherever it is opened. */
function makeOneFile(file: string): void {
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
      `The copy of the database is not sound (${first?.integrity_check ?? 'no answer'}). ` +
        'Run `npm run admin -- doctor` to see whether the database itself is.',
    )
  } finally {
    sqlite.close()
  }
}
