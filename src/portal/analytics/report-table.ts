import { stringify } from 'csv-stringify/sync'
import { downloadCsv, type RouteReply } from '../reply.js'

/** One column of a table that is both shown on a page and downloaded. */
export interface ReportColumn<Row> {
  /** Heading on the page. */
  label: string
  numeric?: boolean
  /** The cell on the page. */
  text: (row: Row) => string
  /** The columns of the download by name, in snake case with the unit. */
  values: Record<string, (row: Row) => ReportValue>
}

/** Null if unknown. */
export type ReportValue = string | number | null

/** A table with the numbers of a page; page and download are both made from it. */
export interface ReportTable<Row> {
  caption: string
  columns: readonly ReportColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** Enough digits to derive the page's percentages from the download. */
const SHARE_DIGITS = 6

export function roundShare(share: number | null): number | null {
  return share === null ? null : Number(share.toFixed(SHARE_DIGITS))
}

/**
 * The table as CSV (RFC 4180), with a byte order mark so that spreadsheets recognise UTF-8. Text that a spreadsheet would
 * run as a formula gets a leading apostrophe.
 */
function toCsv<Row>({ columns, rows }: ReportTable<Row>): string {
  const csvColumns = columns.flatMap(({ values }) => Object.entries(values))
  const header = csvColumns.map(([name]) => name)
  const records = rows.map((row) => csvColumns.map(([, value]) => value(row)))
  return stringify([header, ...records], {
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
  })
}

export function csvReply<Row>(name: string, table: ReportTable<Row>): RouteReply {
  return downloadCsv(name, toCsv(table))
}
