import type { Command } from 'commander'
import type { Config } from '../config/config.js'
import { keepsEverything } from '../config/retention-cutoffs.js'
import { OperatorError } from '../core/operator-error.js'
import { compactInstallation } from '../database/compact-database.js'
import { withErasureConnection } from '../database/erasure-connection.js'
import { openSecretOf } from '../organizations/check-server-secret.js'
import { purgeOldRecords } from '../retention/purge-old-records.js'
import { assertPlausible, trustClock } from '../retention/trusted-clock.js'
import { formatRows, type Terminal } from './terminal.js'

interface PurgeOptions {
  dryRun?: boolean
  trustClock?: boolean
  json?: boolean
}

export function addPurgeCommands(
  admin: Command,
  config: Pick<Config, 'dataDir' | 'postgres' | 'serverSecretFile' | 'retention'>,
  terminal: Terminal,
): void {
  const { retention } = config
  admin
    .command('purge')
    .description('Delete records past their …_RETENTION_DAYS now; the server may be running.')
    .option('--dry-run', 'only count the records')
    .option(
      '--trust-clock',
      'confirm that the clock is right, although it is far ahead of the last run',
    )
    .option('--json', 'print JSON')
    .action(async ({ dryRun, trustClock: isTrusted, json }: PurgeOptions) => {
      if (keepsEverything(retention)) {
        throw new OperatorError('Nothing to purge: no …_RETENTION_DAYS variable is set.')
      }
      const now = Date.now()
      const purged = await withErasureConnection(config, async (db) => {
        const secret = await openSecretOf(db, config)
        if (isTrusted) await trustClock(db, now)
        else if (!dryRun) await assertPlausible(db, now)
        return purgeOldRecords({ db, secret }, retention, { now, dryRun })
      })
      terminal.out(
        formatRows(
          purged.map((records) => ({ ...records })),
          { json },
        ),
      )
    })
  admin
    .command('compact')
    .description('Rewrite the database without free space; on SQLite the server must be stopped.')
    .action(async () => {
      await compactInstallation(config)
      terminal.out('The database was compacted.\n')
    })
}
