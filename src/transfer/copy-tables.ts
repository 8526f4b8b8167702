import { setImmediate } from 'node:timers/promises'
import { OperatorError } from '../core/operator-error.js'
import { errorCode } from '../core/error-code.js'
import type { KeyCell } from '../database/postgres/transfer-state.js'
import type { TransferRecord } from './transfer-record.js'
import type { Cell, SourceTable, TransferSource } from './transfer-source.js'
import type { TransferTarget } from './transfer-target.js'

/** Data exceptions and violated constraints. Source: https://www.postgresql.org/docs/15/errcodes-appendix.html */
const REFUSED_ROW = /^2[23]/
/** Such as NUL, which a text of SQLite may hold. */
const UNSTORABLE_TEXT = /^22(?:021|P05)$/

interface Transfer {
  source: TransferSource
  target: TransferTarget
  record: TransferRecord
}

/**
 * Moves the rows of all tables that are not moved yet, a page in each transaction.
 * @param onRows - called before each page, with the number of rows of the table that are in the target
 */
export async function copyTables(
  transfer: Transfer,
  onRows: (table: string, rows: number) => void,
): Promise<void> {
  for (const table of transfer.source.tables.values()) {
    await copyTable(transfer, table, (rows) => onRows(table.name, rows))
  }
}

async function copyTable(
  { source, target, record }: Transfer,
  table: SourceTable,
  onRows: (rows: number) => void,
): Promise<void> {
  for (;;) {
    const progress = record.progressOf(table.name)
    if (progress.isDone) return
    onRows(progress.rows)
    const page = source.readPage(table, progress.after?.map(fromKeyCell) ?? null)
    const last = page.at(-1)
    const next = {
      rows: progress.rows + page.length,
      after: last ? keyOf(table, last) : progress.after,
      isDone: last === undefined,
    }
    await record
      .advance(table.name, next, async (transaction) => {
        if (last) await target.insert(transaction, table, page)
      })
      .catch((error: unknown) => {
        throw explain(error, table)
      })
    // Reading and packing a page block; signals are handled between them.
    await setImmediate()
  }
}

function keyOf({ columns, key }: SourceTable, row: readonly Cell[]): KeyCell[] {
  return key.map((column) => {
    const cell = row[columns.indexOf(column)]!
    return Buffer.isBuffer(cell) ? { hex: cell.toString('hex') } : cell
  })
}

function fromKeyCell(cell: KeyCell): Cell {
  return typeof cell === 'object' ? Buffer.from(cell.hex, 'hex') : cell
}

/** The message of PostgreSQL is left out: it may quote the row. */
function explain(error: unknown, { name }: SourceTable): unknown {
  const code = errorCode(error) ?? ''
  if (!REFUSED_ROW.test(code)) return error
  const what = UNSTORABLE_TEXT.test(code)
    ? `A text in the table ${name} has a character that PostgreSQL cannot store (${code}).`
    : `PostgreSQL refuses a row of the table ${name} (${code}).`
  return new OperatorError(
    `${what} Correct it in the database of DATA_DIR and begin again with another empty database.`,
    { cause: error },
  )
}
