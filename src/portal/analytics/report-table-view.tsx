import { DataTable } from '../components/data-table.js'
import type { ReportTable } from './report-table.js'

/** A report table on a page. */
export function ReportTableView<Row>({ table }: { table: ReportTable<Row> }) {
  return (
    <DataTable
      caption={table.caption}
      columns={table.columns.map(({ label, numeric = false, text }) => ({
        label,
        numeric,
        cell: text,
      }))}
      rows={table.rows}
      rowKey={table.rowKey}
    />
  )
}
