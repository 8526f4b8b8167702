import { stringify } from 'csv-stringify/sync'
import { downloadCsv, type RouteReply } from '../reply.js'

/** One column of a table that a page shows and a download gives. */
export interface ReportColumn<Row> {
  /** On the page. */
  label: string
  numeric?: boolean
  /** As the page shows it. */
  text: (row: Row) => string
  /** As the download gives it: one column for each, named in lower case with underscores, and the unit. */
  values: Record<string, (row: Row) => ReportValue>
}

/** Null for what is not known. */
export type ReportValue = string | number | null

/** A table behind a chart; page and download are made from the same. */
export interface ReportTable<Row> {
  caption: string
  columns: readonly ReportColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** Shares are given with so many digits that the page's percent follow from them. */
const SHARE_DIGITS = 6

export function roundShare(share: number | null): number | null {
  return share === null ? null : Number(share.toFixed(SHARE_DIGITS))
}

/**
 * The table by RFC 4180, with a byte order mark, by which spreadsheets know UTF-8. A text that a spreadsheet would take
 * for a formula gets an apostrophe before it.
 */
export function toCsv<Row>({ columns, rows }: ReportTable<Row>): string {
  const downloaded = columns.flatMap(({ values }) => Object.entries(values))
  const header = downloaded.map(([name]) => name)
  const records = rows.map((row) => downloaded.map(([, value]) => value(row)))
  return stringify([header, ...records], {
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
  })
}

export function csvReply<Row>(name: string, table: ReportTable<Row>): RouteReply {
  return downloadCsv(name, toCsv(table))
}
