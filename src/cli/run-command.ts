import { Command, CommanderError } from 'commander'
import { adminCommand } from './admin-command.js'
import { readConfig, type Config } from '../config/config.js'
import { doctorCommand } from './doctor-command.js'
import { modelsCommand } from './models-command.js'
import { OperatorError } from '../core/operator-error.js'
import { explainStorageFailure } from '../database/explain-storage-failure.js'
import { PROCESS_TERMINAL } from './terminal.js'
import { reloadCommand } from './reload-command.js'
import type { ReloadRequests } from '../server/reload-requests.js'
import { serve, type ServeOptions } from '../server/serve.js'
import { visionWorkerCommand } from './vision-worker-command.js'

/**
 * Runs one command of the service: `serve` by default, `reload`, `models` or `admin`, and sets the exit code.
 * @param args - without the interpreter and the script
 * @param reloads - requests to reload since the process started
 */
export async function runCommand(args: readonly string[], reloads?: ReloadRequests): Promise<void> {
  let config: Config | undefined
  try {
    // The doctor must also run with an invalid configuration, which it reports.
    if (args[0] === 'admin' && args[1] === 'doctor') {
      const doctor = doctorCommand(readConfig, PROCESS_TERMINAL)
        .name('profile-intelligence admin doctor')
        .exitOverride()
      await doctor.parseAsync(args.slice(2), { from: 'user' })
      return
    }
    config = readConfig()
    await createProgram(config, reloads).parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = exitCodeFor(config ? await explainStorageFailure(error, config) : error)
  }
}

function createProgram(config: Config, reloads: ReloadRequests | undefined): Command {
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
    .action((options: ServeOptions) => serve(config, options, reloads))
  program.addCommand(reloadCommand(config))
  program.addCommand(visionWorkerCommand(config))
  program.addCommand(modelsCommand(config))
  program.addCommand(adminCommand(config))
  return program
}

function exitCodeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof OperatorError) {
    process.stderr.write(`${error.message}\n`)
    return 1
  }
  throw error
}
