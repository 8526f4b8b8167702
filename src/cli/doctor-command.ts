import { Command } from 'commander'
import type { Config } from '../config/config.js'
import { OperatorError } from '../core/operator-error.js'
import { listChecks } from '../doctor/all-checks.js'
import type { Check } from '../doctor/check.js'
import { runChecks, type CheckReport } from '../doctor/run-checks.js'
import { formatJson, type Terminal } from './terminal.js'

const MARKS = { ok: '✓', warning: '!', failed: '✗' } as const

/**
 * Diagnoses an installation, whether or not the service is running.
 * @param readConfig - may throw a ConfigError, which is reported
 */
export function doctorCommand(
  readConfig: () => Config,
  terminal: Terminal,
  list: (config: Config) => readonly Check[] = listChecks,
): Command {
  return new Command('doctor')
    .description('Find common problems and say how to fix them; exit code 1 if a check fails.')
    .option('--skip-loading', 'do not load the models, which needs their memory a second time')
    .option('--json', 'print JSON')
    .action(async (options: { skipLoading?: boolean; json?: boolean }) => {
      const wanted = (config: Config) =>
        list(config).filter(({ name }) => !options.skipLoading || name !== 'model loading')
      const reports: CheckReport[] = []
      for await (const report of runChecks(readConfig, wanted)) {
        reports.push(report)
        if (!options.json) terminal.out(formatReport(report))
      }
      if (options.json) terminal.out(formatJson(reports.map(toJson)))
      const failed = reports.filter(({ status }) => status === 'failed').length
      if (failed > 0) throw new OperatorError(`${failed} of ${reports.length} checks failed.`)
    })
}

function formatReport(report: CheckReport): string {
  const first = `${MARKS[report.status]} ${report.check}: ${report.found}\n`
  return 'fix' in report ? `${first}  → ${report.fix}\n` : first
}

/** Scripts rely on the field name `mend`. */
function toJson(report: CheckReport) {
  if (!('fix' in report)) return report
  const { fix, ...rest } = report
  return { ...rest, mend: fix }
}
