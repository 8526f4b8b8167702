import type { PostgresSettings } from '../config/postgres-settings.js'
import { OperatorError } from '../core/operator-error.js'
import { hasDatabase } from '../database/installation.js'
import { lockDataFolder } from '../database/lock-data-folder.js'
import { databaseFile } from '../database/open-database.js'
import { findTransfer, parseTransfer } from '../database/postgres/transfer-state.js'
import type { AuditVerdict } from '../organizations/verify-audit-log.js'
import { readSameSecret, requireSamePlans, type TransferConfig } from './check-settings.js'
import { compareInstallations } from './compare-installations.js'
import { copyTables } from './copy-tables.js'
import { fingerprintOf, type TableSummary } from './table-summary.js'
import { TransferRecord } from './transfer-record.js'
import { TransferSource } from './transfer-source.js'
import { TransferTarget } from './transfer-target.js'

export type TransferPhase = 'reading' | 'moving' | 'comparing'

export interface TransferProgress {
  phase: TransferPhase
  table: string
  /** Of all tables. */
  doneRows: number
  /** Unknown while the source is read. */
  totalRows: number | undefined
}

export interface TransferOptions {
  /** Milliseconds since the epoch. */
  clock: () => number
  onProgress?: (progress: TransferProgress) => void
}

export interface TransferReport {
  /** `already-moved`: an earlier run was complete, and this one changed nothing. */
  outcome: 'moved' | 'continued' | 'already-moved'
  /** Milliseconds since the epoch. */
  startedAt: number
  finishedAt: number
  /** What was compared; empty if it was moved already. */
  tables: ReadonlyMap<string, TableSummary>
  /** Of the target, the same as that of the source; undefined if it was moved already. */
  audit: AuditVerdict | undefined
}

/**
 * Moves the installation of a data folder into a PostgreSQL database, and compares both. Nothing in the data folder changes. An
 * interrupted transfer is continued by the next one; servers refuse the database until it is complete.
 * @throws OperatorError, DataFolderInUseError, StorageError, MigrationError
 */
export async function transferInstallation(
  config: TransferConfig,
  options: TransferOptions,
): Promise<TransferReport> {
  const { dataDir, postgres } = config
  if (!postgres) {
    throw new OperatorError(
      'Set DATABASE_URL (and DATABASE_DIRECT_URL, if that leads through a pooler) to the empty database that the installation moves to.',
    )
  }
  if (!hasDatabase(databaseFile(dataDir))) {
    throw new OperatorError(`There is no database in ${dataDir}. Check DATA_DIR.`)
  }
  const unlock = await lockDataFolder(dataDir)
  try {
    const source = new TransferSource(dataDir)
    try {
      return await transferFrom(source, { ...config, postgres }, options)
    } finally {
      await source.close()
    }
  } finally {
    unlock()
  }
}

async function transferFrom(
  source: TransferSource,
  config: TransferConfig & { postgres: PostgresSettings },
  { clock, onProgress = () => {} }: TransferOptions,
): Promise<TransferReport> {
  const secret = await readSameSecret(source.db, config)
  await requireSamePlans(source.db, config)
  const target = new TransferTarget(config.postgres)
  try {
    const stored = await findTransfer(target.db)
    const isFinished = stored !== undefined && parseTransfer(stored).finishedAt !== null
    if (!isFinished) {
      await target.refuseInUse()
      await target.prepare(source.tables)
      if (!stored) await refuseFilled(target)
    }
    const expected = summarizeSource(source, onProgress)
    const fingerprint = fingerprintOf(expected)
    if (stored) refuseOther(stored, fingerprint, target)
    if (isFinished) return describeEarlier(stored)

    const record = stored
      ? new TransferRecord(target.db, stored)
      : await begin(target, fingerprint, clock())
    await copyTables({ source, target, record }, reportRows(record, expected, onProgress))
    await target.complete((table) => source.lastIdOf(table))
    const audit = await compareInstallations(
      { source, target, secret, expected },
      (table, doneRows) =>
        onProgress({ phase: 'comparing', table, doneRows, totalRows: totalOf(expected) }),
    )
    const finishedAt = clock()
    await record.finish(finishedAt)
    const outcome = stored ? 'continued' : 'moved'
    return { outcome, startedAt: record.state.startedAt, finishedAt, tables: expected, audit }
  } finally {
    await target.close()
  }
}

function summarizeSource(
  source: TransferSource,
  onProgress: (progress: TransferProgress) => void,
): ReadonlyMap<string, TableSummary> {
  const summaries = new Map<string, TableSummary>()
  let doneRows = 0
  for (const table of source.tables.values()) {
    onProgress({ phase: 'reading', table: table.name, doneRows, totalRows: undefined })
    const summary = source.summarize(table)
    summaries.set(table.name, summary)
    doneRows += summary.rows
  }
  return summaries
}

/** A server that starts from here on finds the entry and refuses; one that started before is found now. */
async function begin(
  target: TransferTarget,
  fingerprint: string,
  now: number,
): Promise<TransferRecord> {
  const record = await TransferRecord.begin(target.db, fingerprint, now)
  try {
    await target.refuseInUse()
    await refuseFilled(target)
  } catch (error) {
    await record.withdraw()
    throw error
  }
  return record
}

async function refuseFilled(target: TransferTarget): Promise<void> {
  const filled = await target.listFilledTables()
  if (filled.length === 0) return
  throw new OperatorError(
    `${target.description} already holds an installation (rows in ${filled.join(', ')}). Create an empty database and let DATABASE_URL name it; nothing was changed.`,
  )
}

function refuseOther(stored: Buffer, fingerprint: string, { description }: TransferTarget): void {
  const { source, finishedAt, startedAt } = parseTransfer(stored)
  if (source === fingerprint) return
  throw new OperatorError(
    finishedAt === null
      ? `A transfer into ${description} began on ${new Date(startedAt).toISOString()} from other data: of another DATA_DIR, or of this one before something in it changed. Create another empty database and let DATABASE_URL name it.`
      : `An installation was moved into ${description} on ${new Date(finishedAt).toISOString()}. The data in DATA_DIR is not the one that was moved, or has changed since. To move it, create another empty database and let DATABASE_URL name it.`,
  )
}

function describeEarlier(stored: Buffer): TransferReport {
  const { startedAt, finishedAt } = parseTransfer(stored)
  return {
    outcome: 'already-moved',
    startedAt,
    finishedAt: finishedAt!,
    tables: new Map(),
    audit: undefined,
  }
}

function totalOf(summaries: ReadonlyMap<string, TableSummary>): number {
  return [...summaries.values()].reduce((sum, { rows }) => sum + rows, 0)
}

/** Rows that an earlier run has moved count as done from the beginning. */
function reportRows(
  { state }: TransferRecord,
  expected: ReadonlyMap<string, TableSummary>,
  onProgress: (progress: TransferProgress) => void,
): (table: string, rows: number) => void {
  const totalRows = totalOf(expected)
  const done = new Map(Object.entries(state.tables).map(([table, { rows }]) => [table, rows]))
  return (table, rows) => {
    done.set(table, rows)
    const doneRows = [...done.values()].reduce((sum, ofTable) => sum + ofTable, 0)
    onProgress({ phase: 'moving', table, doneRows, totalRows })
  }
}
