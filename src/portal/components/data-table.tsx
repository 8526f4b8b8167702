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
  /** On a phone each row becomes a block with its labels, so that nothing is out of sight. */
  stacks?: boolean
}

/** A table whose first column names its rows; it scrolls by itself where it is too wide. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, showCaption = false, columns, rows, rowKey, stacks = false } = props
  const alignment = (column: Column<Row>) => (column.numeric ? 'numeric' : undefined)
  return (
    <div class="table-frame" role="region" aria-label={caption} tabIndex={0}>
      {/* Roles are said outright: a row that is laid out as a block would lose its own. */}
      <table class={stacks ? 'stacks' : undefined} role="table">
        <caption class={showCaption ? undefined : 'visually-hidden'}>{caption}</caption>
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
