import { Command } from 'commander'
import type { Config } from '../config/config.js'
import { requestReload } from '../server/request-reload.js'

export function reloadCommand({ dataDir }: Pick<Config, 'dataDir'>): Command {
  return new Command('reload')
    .description('Make the running server reload its configuration, plans and models.')
    .action(async () => {
      await requestReload(dataDir)
      process.stdout.write(
        'The server is reloading plans and models while it keeps serving. Its log says when it is done.\n',
      )
    })
}
