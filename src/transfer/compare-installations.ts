import { sql } from 'kysely'
import { OperatorError } from '../core/operator-error.js'
import type { ServerSecret } from '../organizations/server-secret.js'
import { verifyAuditLog, type AuditVerdict } from '../organizations/verify-audit-log.js'
import { findDifferences, type TableSummary } from './table-summary.js'
import type { TransferSource } from './transfer-source.js'
import type { TransferTarget } from './transfer-target.js'

interface Installations {
  source: TransferSource
  target: TransferTarget
  secret: ServerSecret
  /** Of the source. */
  expected: ReadonlyMap<string, TableSummary>
}

/**
 * Compares what was moved with the source: rows, contents and sums of each table, the keys of the events, and the chain of the
 * audit log, which is verified in both.
 * @returns the verdict on the audit log, the same for both
 * @throws OperatorError that says what differs
 */
export async function compareInstallations(
  { source, target, secret, expected }: Installations,
  onTable: (table: string, doneRows: number) => void,
): Promise<AuditVerdict> {
  const found = new Map<string, TableSummary>()
  let doneRows = 0
  for (const table of source.tables.values()) {
    onTable(table.name, doneRows)
    found.set(table.name, await target.summarize(table))
    doneRows += found.get(table.name)!.rows
  }
  const differences = findDifferences(expected, found)
  const keys = await countKeys(target)
  if (keys !== expected.get('events')?.rows) differences.push(`${keys} keys of events`)
  const audit = await verifyAuditLog({ db: target.db, secret })
  const before = await verifyAuditLog({ db: source.db, secret })
  if (describe(audit) !== describe(before)) differences.push('the chain of the audit log differs')
  if (differences.length === 0) return audit
  throw new OperatorError(
    `What is in ${target.description} is not what is in DATA_DIR: ${differences.join('; ')}. Start no server on it. Create another empty database and move again; nothing in DATA_DIR was changed.`,
  )
}

async function countKeys({ db }: TransferTarget): Promise<number> {
  const { rows } = await sql<{ keys: number }>`select count(*) as keys from event_keys`.execute(db)
  return rows[0]!.keys
}

function describe({ entries, erased, head, broken }: AuditVerdict): string {
  return JSON.stringify([entries, erased, head?.id, head?.hash.toString('hex'), broken])
}
