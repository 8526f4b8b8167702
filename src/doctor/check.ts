import type { Config } from '../config/config.js'

/**
 * - `ok`: nothing to do
 * - `warning`: it works, and could work better or soon will not
 * - `failed`: the service does not work, or not as configured
 */
export type CheckStatus = 'ok' | 'warning' | 'failed'

/** What one check found; `mend` tells an operator what to do about it. */
export type Finding =
  { status: 'ok'; found: string } | { status: 'warning' | 'failed'; found: string; mend: string }

/** One thing that may be wrong with an installation. It changes nothing, and what it throws counts as failed. */
export interface Check {
  name: string
  run: (config: Config) => Finding | Promise<Finding>
}

export function ok(found: string): Finding {
  return { status: 'ok', found }
}

export function warning(found: string, mend: string): Finding {
  return { status: 'warning', found, mend }
}

export function failed(found: string, mend: string): Finding {
  return { status: 'failed', found, mend }
}
