import { pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from '../config/config.js'
import { OperatorError } from '../core/operator-error.js'

/** Fields that a log line may have. All others are dropped, so that no bio, photo URL, name, opener or key is logged. */
const ALLOWED_FIELDS = [
  'address',
  'capability',
  'cause',
  'count',
  'device',
  'duration_ms',
  'environment',
  'error',
  'exit_code',
  'isolation',
  'key_id',
  'method',
  'organization_id',
  'pack',
  'pid',
  'reason',
  'request_id',
  'retry_in_ms',
  'role',
  'route',
  'signal',
  'stack',
  'state',
  'status',
  'threads',
  'version',
] as const

type LogField = (typeof ALLOWED_FIELDS)[number]
export type LogFields = Partial<Record<LogField, string | number | boolean | undefined>>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

const allowed: ReadonlySet<string> = new Set(ALLOWED_FIELDS)

/** Creates the service's log on stdout: JSON lines, or readable text with `format` pretty or on a terminal. */
export function createLog(config: Config['log']): Log {
  const isPretty =
    config.format === 'pretty' || (config.format === 'auto' && process.stdout.isTTY === true)
  const options = { level: config.level, base: null }
  const logger = isPretty
    ? pino(options, pretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss', sync: true }))
    : pino({ ...options, timestamp: pino.stdTimeFunctions.isoTime })
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => {
    return (message: string, fields: LogFields = {}) => logger[level](pickAllowed(fields), message)
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

function pickAllowed(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => allowed.has(name) && value !== undefined),
  )
}

/** Codes of SQLite, the operating system and PostgreSQL, such as `SQLITE_FULL`, `ENOSPC` and `53100`. */
const ERROR_CODE = /^(?:[A-Z][A-Z0-9_]{2,40}|[0-9A-Z]{5})$/

/**
 * Describes a thrown value by its class, code and stack frames. Messages are left out, because those of parsers and native
 * libraries quote their input; only messages of OperatorErrors are safe to log.
 */
export function describeError(thrown: unknown): LogFields {
  if (!(thrown instanceof Error)) return { error: typeof thrown }
  if (thrown instanceof OperatorError)
    return { error: thrown.constructor.name, reason: thrown.message }
  const frames = thrown.stack?.split('\n').filter((line) => line.trimStart().startsWith('at '))
  const cause = thrown.cause instanceof Error ? describeError(thrown.cause) : undefined
  return {
    error: thrown.name,
    reason:
      'code' in thrown && ERROR_CODE.test(String(thrown.code)) ? String(thrown.code) : undefined,
    stack: frames?.slice(0, 12).join('\n'),
    cause: cause && `${cause.error}\n${cause.stack}`,
  }
}
