import type { MemberVisit } from '../visit.js'
import { ReportTableView } from './report-table-view.js'
import type { ReportTable } from './report-table.js'

interface BehindChartProps<Row> {
  table: ReportTable<Row>
  csvHref: string
}

/** The numbers of a chart: a table that can be opened, and the same as a file. */
export function BehindChart<Row>({ table, csvHref }: BehindChartProps<Row>) {
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

export function CsvLink({ href }: { href: string }) {
  return (
    <a class="csv-link" href={href} download>
      Download as CSV
    </a>
  )
}

/** The address of a download with what the page shows. */
export function csvHref({ query, environment }: MemberVisit, path: string): string {
  const parameters = new URLSearchParams(query)
  parameters.set('env', environment)
  return `/portal${path}?${parameters}`
}
