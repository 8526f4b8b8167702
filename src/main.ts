import { takeReloadSignals } from './server/reload-requests.js'

/**
 * Runs one command of the service: `serve` by default, `reload`, `models` or `admin`.
 * @param args - without the interpreter and the script
 */
export async function main(args: readonly string[]): Promise<void> {
  const [command = 'serve'] = args
  const isServing = command === 'serve' || command.startsWith('-')
  const reloads = isServing ? takeReloadSignals() : undefined
  // Loading the rest takes most of a second, in which a signal may come.
  const { runCommand } = await import('./cli/run-command.js')
  await runCommand(args, reloads)
}

if (import.meta.filename === process.argv[1]) await main(process.argv.slice(2))
