import type { Command } from 'commander'
import type { Config } from '../config/config.js'
import { compactDatabase, withErasingDatabase } from '../database/erasing-database.js'
import { lockDataFolder } from '../database/lock-data-folder.js'
import { OperatorError } from '../core/operator-error.js'
import { formatRows, type Terminal } from './terminal.js'
import { purgeOldRecords } from '../retention/purge-old-records.js'

export function addPurgeCommands(
  admin: Command,
  { dataDir, retention }: Pick<Config, 'dataDir' | 'retention'>,
  terminal: Terminal,
): void {
  admin
    .command('purge')
    .description('Delete now what is older than the …_RETENTION_DAYS keep; the server may run.')
    .option('--dry-run', 'only say how much it would be')
    .option('--json', 'print JSON')
    .action(async ({ dryRun, json }: { dryRun?: boolean; json?: boolean }) => {
      if (Object.values(retention).every((days) => days === undefined)) {
        throw new OperatorError('Everything is kept: no …_RETENTION_DAYS is set.')
      }
      const purged = await withErasingDatabase(dataDir, (db) =>
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
    .description('Write the database anew without free space; the server must be stopped.')
    .action(async () => {
      const unlock = await lockDataFolder(dataDir)
      try {
        await withErasingDatabase(dataDir, compactDatabase)
      } finally {
        unlock()
      }
      terminal.out('The database is compact.\n')
    })
}
