import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  label: string
  /** Aligns numbers to the right, with digits of equal width. */
  numeric?: boolean
  cell: (row: Row) => ComponentChildren
}

interface DataTableProps<Row> {
  /** What the table holds, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** On a phone each row becomes a labelled block, so that nothing scrolls out of sight. */
  stacks?: boolean
}

/** A table whose first column labels its rows. If it is too wide, it scrolls within the page. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, stacks = false } = props
  const alignment = (column: Column<Row>) => (column.numeric ? 'numeric' : undefined)
  return (
    <div class="table-frame" role="region" aria-label={caption} tabIndex={0}>
      {/* Explicit roles, because a row that is laid out as a block loses its implicit one. */}
      <table class={stacks ? 'stacks' : undefined} role="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.label} scope="col" role="columnheader" class={alignment(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.label} scope="row" role="rowheader" class={alignment(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td
                    key={column.label}
                    role="cell"
                    class={alignment(column)}
                    data-label={column.label}
                  >
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
