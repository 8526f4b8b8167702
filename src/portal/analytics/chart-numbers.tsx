import { CsvLink } from './csv-link.js'
import { ReportTableView } from './report-table-view.js'
import type { ReportTable } from './report-table.js'

interface ChartNumbersProps<Row> {
  table: ReportTable<Row>
  csvHref: string
}

/** The numbers of a chart: a collapsed table, and a link to the same as CSV. */
export function ChartNumbers<Row>({ table, csvHref }: ChartNumbersProps<Row>) {
  return (
    <details class="behind-chart">
      <summary>Show the numbers</summary>
      <ReportTableView table={table} />
      <p>
        <CsvLink href={csvHref} />
      </p>
    </details>
  )
}
