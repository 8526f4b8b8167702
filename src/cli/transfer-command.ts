import type { Command } from 'commander'
import { withStorageExplained } from '../database/explain-storage-failure.js'
import type { TransferConfig } from '../transfer/check-settings.js'
import { transferInstallation, type TransferReport } from '../transfer/transfer-installation.js'
import { formatJson, formatRows, isoTime, type Row, type Terminal } from './terminal.js'
import { showTransferProgress } from './transfer-progress.js'

export function addTransferCommand(
  admin: Command,
  config: TransferConfig,
  terminal: Terminal,
): void {
  admin
    .command('migrate-to-postgres')
    .description(
      'Move the installation of DATA_DIR into the empty database of DATABASE_URL; the server must be stopped.',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { stop, onProgress } = showTransferProgress(terminal.progress ?? process.stderr)
      const move = () => transferInstallation(config, { clock: Date.now, onProgress })
      const report = await withStorageExplained(config, move).finally(stop)
      terminal.out(options.json ? formatJson(toJson(report)) : describeReport(report, config))
    })
}

function describeReport(report: TransferReport, { dataDir }: TransferConfig): string {
  const { outcome, finishedAt, tables, audit } = report
  if (outcome === 'already-moved') {
    return `The installation was already moved on ${isoTime(finishedAt)}. Nothing was changed.\n`
  }
  const chain = audit?.broken
    ? `The chain of the audit log is broken at entry ${audit.broken.id} in both: \`audit verify\` says how.`
    : `The chain of the audit log holds in both: ${audit?.entries} entries, ${audit?.erased} erased.`
  return [
    formatRows(
      listTables(report).filter(({ rows }) => rows !== 0),
      {},
    ),
    `Compared: the number of rows, the SHA-256 of each row and the sums above, in ${tables.size} tables, of which the others are empty. All are equal.\n`,
    `${chain}\n`,
    `Start the servers with DATABASE_URL, SERVER_SECRET_FILE and PLANS_FILE. ${dataDir} is unchanged: keep it until everything works.\n`,
  ].join('')
}

function listTables({ tables }: TransferReport): Row[] {
  return [...tables].map(([table, { rows, sums }]) => ({
    table,
    rows,
    sums: Object.entries(sums)
      .map(([column, sum]) => `${column} ${sum}`)
      .join(', '),
  }))
}

function toJson(report: TransferReport) {
  const { outcome, startedAt, finishedAt, audit } = report
  return {
    outcome: outcome.replace('-', '_'),
    started_at: isoTime(startedAt),
    finished_at: isoTime(finishedAt),
    tables: listTables(report),
    audit: audit && {
      entries: audit.entries,
      erased: audit.erased,
      broken_at: audit.broken?.id ?? null,
    },
  }
}
