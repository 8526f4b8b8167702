import { errorCode } from '../../core/error-code.js'
import type { StorageFailure } from '../../core/storage-state.js'
import { StorageError } from '../storage-failure.js'

/**
 * By the first pattern that a code matches.
 * Source: https://www.postgresql.org/docs/15/errcodes-appendix.html and errno(3)
 */
const FAILURES: readonly [RegExp, StorageFailure][] = [
  [/^53100$/, 'full'],
  // A standby, or a server that an operator has set to read only.
  [/^25006$/, 'read_only'],
  // A serialization failure, a deadlock, a lock that was not to be had in time.
  [/^(?:40001|40P01|55P03)$/, 'locked'],
  [/^(?:53300|53400)$/, 'too_many_files'],
  [/^XX00[12]$/, 'damaged'],
  [/^3D000$/, 'missing'],
  // Connection exceptions, rejected credentials, a server that starts or stops.
  [/^(?:08|28|57P)/, 'unreachable'],
  [
    /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/,
    'unreachable',
  ],
  [/^(?:53|58)/, 'io_error'],
]

/** Messages of `pg` for a connection that ended, or did not answer or could not be had in time; they have no code. */
const CONNECTION_LOST =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed|Query read timeout|The server does not support SSL)/

/** Converts an error of `pg` that is about the database as such; returns others, such as violated constraints, unchanged. */
export function toPostgresStorageError(thrown: unknown): unknown {
  if (thrown instanceof StorageError) return thrown
  const failure = findFailure(thrown)
  return failure === undefined ? thrown : new StorageError(failure, { cause: thrown })
}

function findFailure(thrown: unknown): StorageFailure | undefined {
  const code = errorCode(thrown)
  const known = code === undefined ? undefined : FAILURES.find(([pattern]) => pattern.test(code))
  if (known) return known[1]
  // Whatever else ends a session or keeps it from beginning.
  if ((thrown as { severity?: unknown } | undefined)?.severity === 'FATAL') return 'unreachable'
  const isLost = thrown instanceof Error && CONNECTION_LOST.test(thrown.message)
  return isLost ? 'unreachable' : undefined
}
