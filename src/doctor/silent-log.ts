import type { Log } from '../telemetry/log.js'

/** For parts of the service that a check opens: its finding is the only report. */
export const SILENT_LOG: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
}
