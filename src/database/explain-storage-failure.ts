import fs from 'node:fs/promises'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import type { DatabasePlace } from '../config/postgres-settings.js'
import { errorCode } from '../core/error-code.js'
import { OperatorError } from '../core/operator-error.js'
import type { StorageFailure } from '../core/storage-state.js'
import { explainPostgresFailure } from './postgres/explain-postgres-failure.js'
import { findStorageFailure, StorageError } from './storage-failure.js'

/** The data folder or the database cannot be used; `message` says what to do. */
export class StorageFailureError extends OperatorError {
  readonly failure: StorageFailure

  constructor(failure: StorageFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

/** What to do about a failure, for the operator. */
const EXPLANATIONS: Record<StorageFailure, (dataDir: string) => string> = {
  full: (dataDir) =>
    `The disk with ${dataDir} is full. Nothing is damaged: free some space and try again.`,
  read_only: (dataDir) =>
    `${dataDir} cannot be written. Nothing is damaged: mount its file system writable (a file system that turned read-only had a disk error: see dmesg), or make the user of the service the owner of its files.`,
  locked: (dataDir) =>
    `Another program holds a lock on the database in ${dataDir}. End that program (fuser -v ${dataDir}/* shows it), or try again later.`,
  unreachable: (dataDir) =>
    `${dataDir} or a file in it cannot be opened. Check that its volume is mounted and that the user of the service owns the folder and its files.`,
  io_error: (dataDir) =>
    `Reading or writing ${dataDir} failed. Check the disk (dmesg, smartctl), then run: npm run admin -- doctor`,
  too_many_files: () =>
    'The process has no file descriptors left. Raise the limit: LimitNOFILE in the systemd unit, or ulimit -n.',
  missing: (dataDir) =>
    `The database files in ${dataDir} were deleted, replaced or moved while they were in use. Put the original files back, or restart the service.`,
  damaged: (dataDir) =>
    `The database in ${dataDir} is damaged. Stop the service, keep a copy of the folder, and restore the latest backup: npm run admin -- restore FOLDER`,
}

/** SQLite reports some states of the disk and the process by these codes, too. */
const AMBIGUOUS: ReadonlySet<StorageFailure> = new Set(['io_error', 'unreachable', 'read_only'])
const TEST_BYTES = 64 * 1024

/**
 * Explains an error of the database, the data folder or another file to the operator; returns others unchanged. Where the
 * code leaves the cause open, it writes a small file to see it.
 */
export async function explainStorageFailure(
  thrown: unknown,
  { dataDir, postgres }: DatabasePlace,
): Promise<unknown> {
  if (thrown instanceof OperatorError) return thrown
  if (postgres && thrown instanceof StorageError) {
    const message = explainPostgresFailure(thrown, postgres)
    return new StorageFailureError(thrown.failure, message, { cause: thrown })
  }
  const code = thrown instanceof StorageError ? thrown.reason : errorCode(thrown)
  const failure = thrown instanceof StorageError ? thrown.failure : findStorageFailure(code)
  const place = failure && placeOf(thrown, dataDir)
  if (failure === undefined || place === undefined) return thrown
  const cause = AMBIGUOUS.has(failure) ? await findWriteFailure(dataDir) : undefined
  const known = cause ?? { failure, code }
  const message = `${EXPLANATIONS[known.failure](place)} (${known.code})`
  return new StorageFailureError(known.failure, message, { cause: thrown })
}

/** The folder or file that an error is about; undefined where a missing file or program outside of `dataDir` is no fault of it. */
function placeOf(thrown: unknown, dataDir: string): string | undefined {
  const { path: file, syscall = '', code } = thrown as NodeJS.ErrnoException
  if (file === undefined || !path.relative(dataDir, file).startsWith('..')) return dataDir
  const isAbsence = code === 'ENOENT' || code === 'ENOTDIR'
  return isAbsence || syscall.startsWith('spawn') ? undefined : file
}

/** Runs `work`, and explains its errors about the database or the data folder to the operator. */
export async function withStorageExplained<T>(
  place: DatabasePlace,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw await explainStorageFailure(error, place)
  }
}

/** Returns why a file cannot be written into the folder; undefined if it can. */
export async function findWriteFailure(
  folder: string,
): Promise<{ failure: StorageFailure; code: string } | undefined> {
  const file = path.join(folder, `.write-test-${randomBytes(6).toString('hex')}`)
  try {
    await fs.writeFile(file, Buffer.alloc(TEST_BYTES), { mode: 0o600, flag: 'wx', flush: true })
    return undefined
  } catch (error) {
    const code = errorCode(error)
    const failure = findStorageFailure(code)
    return failure && code !== undefined ? { failure, code } : undefined
  } finally {
    await fs.rm(file, { force: true }).catch(() => {})
  }
}
