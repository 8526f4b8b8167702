import path from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../config/config.js'
import { formatBytes } from '../packs/format-bytes.js'
import { formatRecord, type Terminal } from './terminal.js'
import type { BackupManifest } from '../backup/backup-manifest.js'
import { restoreBackup } from '../backup/restore-backup.js'
import { refuseOnPostgres } from '../backup/refuse-on-postgres.js'
import { startAnew } from '../backup/start-anew.js'
import { writeBackup } from '../backup/write-backup.js'

export function addBackupCommands(
  admin: Command,
  config: Pick<Config, 'dataDir' | 'postgres' | 'plansFile'>,
  terminal: Terminal,
): void {
  admin
    .command('backup')
    .description('Back up database, server secret and plans; the server may be running.')
    .argument('<folder>', 'a new folder; protect it like DATA_DIR')
    .option('--without-secret', 'omit the server secret, to store it elsewhere')
    .option('--json', 'print JSON')
    .action(async (folder: string, options: { withoutSecret?: boolean; json?: boolean }) => {
      refuseOnPostgres(config, 'backup')
      const manifest = await writeBackup(config, {
        folder: path.resolve(folder),
        withSecret: !options.withoutSecret,
      })
      const row = { folder: path.resolve(folder), ...manifestRow(manifest) }
      terminal.out(formatRecord(row, options))
    })
  admin
    .command('restore')
    .description('Replace the data with a backup; the server must be stopped.')
    .argument('<folder>', 'folder written by `backup`')
    .option('--json', 'print JSON')
    .action(async (folder: string, options: { json?: boolean }) => {
      refuseOnPostgres(config, 'restore')
      const { manifest, replaced = null } = await restoreBackup(
        config,
        path.resolve(folder),
        Date.now(),
      )
      const row = { data_folder: config.dataDir, ...manifestRow(manifest), replaced_data: replaced }
      terminal.out(formatRecord(row, options))
    })
  admin
    .command('start-anew')
    .description('Move the files of an installation that lost its database, for a new one.')
    .action(async () => {
      refuseOnPostgres(config, 'start-anew')
      const folder = await startAnew(config.dataDir, Date.now())
      terminal.out(
        `The files were moved to ${folder}. The next start creates a new database and a new first key.\n`,
      )
    })
}

function manifestRow({ created_at, files }: BackupManifest) {
  const sizes = Object.values(files).map((file) => file?.size_bytes ?? 0)
  return {
    as_of: created_at,
    files: Object.keys(files).join(', '),
    size: formatBytes(sizes.reduce((sum, size) => sum + size, 0)),
  }
}
