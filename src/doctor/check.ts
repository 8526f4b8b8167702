import type { Config } from '../config/config.js'

/**
 * - `ok`: nothing to do
 * - `warning`: it works, but not as well as it could, or not for much longer
 * - `failed`: the service does not work, or not as configured
 */
export type CheckStatus = 'ok' | 'warning' | 'failed'

/** Result of a check; `fix` says what the operator can do. */
export type Finding =
  { status: 'ok'; found: string } | { status: 'warning' | 'failed'; found: string; fix: string }

/** Checks one aspect of an installation without changing anything. An error thrown by it counts as a failure. */
export interface Check {
  name: string
  run: (config: Config) => Finding | Promise<Finding>
}

export function ok(found: string): Finding {
  return { status: 'ok', found }
}

export function warning(found: string, fix: string): Finding {
  return { status: 'warning', found, fix }
}

export function failed(found: string, fix: string): Finding {
  return { status: 'failed', found, fix }
}
