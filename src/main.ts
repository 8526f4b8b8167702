import { Command, CommanderError } from 'commander'
import { adminCommand } from './cli/admin-command.js'
import { readConfig } from './config/config.js'
import { doctorCommand } from './cli/doctor-command.js'
import { modelsCommand } from './cli/models-command.js'
import { OperatorError } from './core/operator-error.js'
import { PROCESS_TERMINAL } from './cli/terminal.js'
import { reloadCommand } from './cli/reload-command.js'
import { serve, type ServeOptions } from './server/serve.js'

/**
 * Runs one command of the service: `serve` by default, `reload`, `models` or `admin`.
 * @param args - without the interpreter and the script
 */
export async function main(args: readonly string[]): Promise<void> {
  try {
    // The doctor must also run with an invalid configuration, which it reports.
    if (args[0] === 'admin' && args[1] === 'doctor') {
      const doctor = doctorCommand(readConfig, PROCESS_TERMINAL)
        .name('profile-intelligence admin doctor')
        .exitOverride()
      await doctor.parseAsync(args.slice(2), { from: 'user' })
      return
    }
    const config = readConfig()
    const program = new Command('profile-intelligence')
      .description(
        'Preferences, match scores and openers from photos and bios, computed on your own machine.',
      )
      .exitOverride()
    program
      .command('serve', { isDefault: true })
      .description('Serve the API (the default).')
      .option('--end-with-parent', 'stop when the parent process ends')
      .option('--welcome', 'print the first key and an invitation even without a terminal')
      .action((options: ServeOptions) => serve(config, options))
    program.addCommand(reloadCommand(config))
    program.addCommand(modelsCommand(config))
    program.addCommand(adminCommand(config))
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = exitCodeFor(error)
  }
}

function exitCodeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof OperatorError) {
    process.stderr.write(`${error.message}\n`)
    return 1
  }
  throw error
}

if (import.meta.filename === process.argv[1]) await main(process.argv.slice(2))
