/**
 * Why the database cannot be used.
 * - `full`, `read_only`, `locked`, `unreachable`, `io_error`, `too_many_files`: it is intact, and usable again once the cause is gone
 * - `missing`: its files were deleted, replaced or moved while they are open
 * - `damaged`: its content is not what SQLite wrote
 */
export type StorageFailure = (typeof STORAGE_FAILURES)[number]

export const STORAGE_FAILURES = [
  'full',
  'read_only',
  'locked',
  'unreachable',
  'io_error',
  'too_many_files',
  'missing',
  'damaged',
] as const

export const STORAGE_STATES = ['ok', ...STORAGE_FAILURES] as const

export type StorageState = (typeof STORAGE_STATES)[number]
