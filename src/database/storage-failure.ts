import { errorCode } from '../core/error-code.js'
import { ServiceError } from '../core/service-error.js'
import type { StorageFailure } from '../core/storage-state.js'

/** By the first pattern that a code matches. Source: https://www.sqlite.org/rescode.html and errno(3) */
const FAILURES: readonly [RegExp, StorageFailure][] = [
  [/^SQLITE_READONLY_DBMOVED$/, 'missing'],
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)$/, 'full'],
  [/^(?:SQLITE_READONLY|EROFS$)/, 'read_only'],
  [/^SQLITE_(?:BUSY|PROTOCOL)/, 'locked'],
  [/^(?:EMFILE|ENFILE)$/, 'too_many_files'],
  [/^(?:SQLITE_CORRUPT|SQLITE_NOTADB)/, 'damaged'],
  [/^(?:SQLITE_CANTOPEN|SQLITE_PERM|EACCES$|EPERM$|ENOENT$|ENOTDIR$)/, 'unreachable'],
  [/^(?:SQLITE_IOERR|EIO$)/, 'io_error'],
]

/** Classifies an error code of SQLite or the operating system; undefined if it is not about storage. */
export function findStorageFailure(code: string | undefined): StorageFailure | undefined {
  if (code === undefined) return undefined
  return FAILURES.find(([pattern]) => pattern.test(code))?.[1]
}

const MESSAGES = {
  storage_unavailable:
    'The service cannot use its database at the moment. Retry the request as Retry-After says.',
  overloaded: 'The service is busy with its database. Retry the request as Retry-After says.',
} as const

export interface StorageErrorOptions {
  cause?: unknown
  /** `overloaded`: the database works, but not as fast as it is asked. Default: `storage_unavailable`. */
  code?: keyof typeof MESSAGES
}

/** The database cannot be used. */
export class StorageError extends ServiceError {
  readonly failure: StorageFailure
  /** Code of SQLite, such as `SQLITE_FULL`; otherwise the failure in upper case. */
  readonly reason: string

  constructor(
    failure: StorageFailure,
    { cause, code = 'storage_unavailable' }: StorageErrorOptions = {},
  ) {
    super(code, MESSAGES[code], { cause })
    this.name = 'StorageError'
    this.failure = failure
    this.reason = errorCode(cause) ?? failure.toUpperCase()
  }
}

/** Converts an error of SQLite that is about storage; returns others, such as violated constraints, unchanged. */
export function toStorageError(thrown: unknown): unknown {
  const failure =
    thrown instanceof StorageError ? undefined : findStorageFailure(sqliteCode(thrown))
  return failure === undefined ? thrown : new StorageError(failure, { cause: thrown })
}

function sqliteCode(thrown: unknown): string | undefined {
  const code = errorCode(thrown)
  return code?.startsWith('SQLITE_') ? code : undefined
}
