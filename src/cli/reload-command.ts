import { Command } from 'commander'
import type { Config } from '../config/config.js'
import { OperatorError } from '../core/operator-error.js'
import { findServingPid } from '../server/pid-file.js'

/** Tells the running server to read its configuration and plans again and to swap the models it names. */
export function reloadCommand({ dataDir }: Pick<Config, 'dataDir'>): Command {
  return new Command('reload')
    .description(
      'Make the running server read its configuration and plans again and swap its models.',
    )
    .action(async () => {
      const pid = await findServingPid(dataDir)
      if (pid === undefined) {
        throw new OperatorError(`No server is running on ${dataDir}. Start it with: npm start`)
      }
      process.kill(pid, 'SIGUSR2')
      process.stdout.write(
        'The server reloads its plans and models; its log says when they are in use. Calls go on meanwhile.\n',
      )
    })
}
