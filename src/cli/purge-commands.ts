import type { Command } from 'commander'
import type { Config } from '../config/config.js'
import { keepsEverything } from '../config/retention-cutoffs.js'
import { OperatorError } from '../core/operator-error.js'
import { compactDataFolder } from '../database/compact-database.js'
import { withErasureConnection } from '../database/erasure-connection.js'
import { purgeOldRecords } from '../retention/purge-old-records.js'
import { formatRows, type Terminal } from './terminal.js'

export function addPurgeCommands(
  admin: Command,
  { dataDir, retention }: Pick<Config, 'dataDir' | 'retention'>,
  terminal: Terminal,
): void {
  admin
    .command('purge')
    .description('Delete records past their …_RETENTION_DAYS now; the server may be running.')
    .option('--dry-run', 'only count the records')
    .option('--json', 'print JSON')
    .action(async ({ dryRun, json }: { dryRun?: boolean; json?: boolean }) => {
      if (keepsEverything(retention)) {
        throw new OperatorError('Nothing to purge: no …_RETENTION_DAYS variable is set.')
      }
      const purged = await withErasureConnection(dataDir, (db) =>
        purgeOldRecords(db, retention, { now: Date.now(), dryRun }),
      )
      terminal.out(
        formatRows(
          purged.map((records) => ({ ...records })),
          { json },
        ),
      )
    })
  admin
    .command('compact')
    .description('Rewrite the database without free space; the server must be stopped.')
    .action(async () => {
      await compactDataFolder(dataDir)
      terminal.out('The database was compacted.\n')
    })
}
