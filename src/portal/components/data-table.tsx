import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  label: string
  /** Numbers stand at the right, with digits of one width. */
  numeric?: boolean
  cell: (row: Row) => ComponentChildren
}

interface DataTableProps<Row> {
  /** Says what the table holds; read out by screen readers. */
  caption: string
  showCaption?: boolean
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** A table whose first column names its rows; it scrolls by itself where it is too wide. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, showCaption = false, columns, rows, rowKey } = props
  const alignment = (column: Column<Row>) => (column.numeric ? 'numeric' : undefined)
  return (
    <div class="table-frame" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class={showCaption ? undefined : 'visually-hidden'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" class={alignment(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.label} scope="row" class={alignment(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.label} class={alignment(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
