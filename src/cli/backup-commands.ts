import path from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../config/config.js'
import { formatBytes } from '../packs/format-bytes.js'
import { formatRecord, type Terminal } from './terminal.js'
import type { BackupManifest } from '../backup/backup-manifest.js'
import { restoreBackup } from '../backup/restore-backup.js'
import { writeBackup } from '../backup/write-backup.js'

export function addBackupCommands(
  admin: Command,
  config: Pick<Config, 'dataDir' | 'plansFile'>,
  terminal: Terminal,
): void {
  admin
    .command('backup')
    .description('Write database, server secret and plans into a new folder; the server may run.')
    .argument('<folder>', 'must not exist yet; keep it as safe as DATA_DIR')
    .option('--without-secret', 'leave the server secret out, to keep it elsewhere')
    .option('--json', 'print JSON')
    .action(async (folder: string, options: { withoutSecret?: boolean; json?: boolean }) => {
      const manifest = await writeBackup(config, {
        folder: path.resolve(folder),
        withSecret: !options.withoutSecret,
      })
      terminal.out(formatRecord({ folder: path.resolve(folder), ...rowOf(manifest) }, options))
    })
  admin
    .command('restore')
    .description('Put a backup in the place of the data; the server must be stopped.')
    .argument('<folder>', 'written by `backup`')
    .option('--json', 'print JSON')
    .action(async (folder: string, options: { json?: boolean }) => {
      const { manifest, replaced = null } = await restoreBackup(
        config,
        path.resolve(folder),
        Date.now(),
      )
      const row = { data_folder: config.dataDir, ...rowOf(manifest), replaced_data: replaced }
      terminal.out(formatRecord(row, options))
    })
}

function rowOf({ created_at, files }: BackupManifest) {
  const sizes = Object.values(files).map((file) => file?.size_bytes ?? 0)
  return {
    as_of: created_at,
    files: Object.keys(files).join(', '),
    size: formatBytes(sizes.reduce((sum, size) => sum + size, 0)),
  }
}
