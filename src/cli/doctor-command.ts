import { Command } from 'commander'
import { ConfigError } from '../config/config-error.js'
import type { Config } from '../config/config.js'
import { OperatorError } from '../core/operator-error.js'
import type { Terminal } from './terminal.js'
import { ALL_CHECKS } from '../doctor/all-checks.js'
import { failed, ok, type Check, type Finding } from '../doctor/check.js'

type Report = { check: string } & Finding

const MARKS = { ok: '✓', warning: '!', failed: '✗' } as const

/**
 * Checks what usually goes wrong and says how to mend it, whether or not the service runs.
 * @param readConfig - may throw a ConfigError, which is one of the findings
 */
export function doctorCommand(
  readConfig: () => Config,
  terminal: Terminal,
  checks: readonly Check[] = ALL_CHECKS,
): Command {
  return new Command('doctor')
    .description('Check what usually goes wrong, and say how to mend it; exit code 1 if it did.')
    .option('--skip-loading', 'do not load the models, which takes as much memory again')
    .option('--json', 'print JSON')
    .action(async (options: { skipLoading?: boolean; json?: boolean }) => {
      const reports: Report[] = []
      const report = (finding: Report) => {
        reports.push(finding)
        if (!options.json) terminal.out(formatReport(finding))
      }
      const config = configOf(readConfig, report)
      const wanted = checks.filter(({ name }) => !options.skipLoading || name !== 'model loading')
      if (config) {
        for (const check of wanted)
          report({ check: check.name, ...(await runCheck(check, config)) })
      }
      if (options.json) terminal.out(`${JSON.stringify(reports, null, 2)}\n`)
      const count = reports.filter(({ status }) => status === 'failed').length
      if (count > 0) throw new OperatorError(`${count} of ${reports.length} checks failed.`)
    })
}

function configOf(readConfig: () => Config, report: (found: Report) => void): Config | undefined {
  const check = 'configuration'
  try {
    const config = readConfig()
    report({ check, ...ok('valid') })
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const mend =
      'Correct these variables, in the environment or in the file ENV_FILE, and run this again.'
    report({ check, ...failed(error.message, mend) })
    return undefined
  }
}

async function runCheck(check: Check, config: Config): Promise<Finding> {
  try {
    return await check.run(config)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    return failed(
      `the check could not be made (${reason})`,
      'Mend what the other checks found first.',
    )
  }
}

function formatReport(report: Report): string {
  const first = `${MARKS[report.status]} ${report.check}: ${report.found}\n`
  return 'mend' in report ? `${first}  → ${report.mend}\n` : first
}
