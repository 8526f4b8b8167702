/** Shows the numbers of the cell under the pointer, and lets the arrow keys move between cells. */

const STEPS: Record<string, readonly [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

for (const table of document.querySelectorAll<HTMLTableElement>('[data-heat-map]')) {
  const detail = document.querySelector('[data-heat-detail]')
  const cells = table.querySelectorAll<HTMLTableCellElement>('td[data-detail]')
  // The whole map is one stop of the Tab key.
  for (const [index, cell] of cells.entries()) cell.tabIndex = index === 0 ? 0 : -1
  for (const cell of cells) cell.removeAttribute('title')

  const showDetail = (event: Event) => {
    const cell = cellOf(event)
    if (cell && detail) detail.textContent = cell.dataset.detail ?? ''
  }
  table.addEventListener('pointerover', showDetail)
  table.addEventListener('focusin', showDetail)
  table.addEventListener('keydown', (event) => {
    const step = STEPS[event.key]
    const from = cellOf(event)
    if (!step || !from) return
    const to = nextCell(table, from, step)
    if (!to) return
    event.preventDefault()
    from.tabIndex = -1
    to.tabIndex = 0
    to.focus()
  })
}

/** The next cell with numbers, skipping the empty cells of future weeks. */
function nextCell(
  table: HTMLTableElement,
  from: HTMLTableCellElement,
  [rows, columns]: readonly [number, number],
): HTMLTableCellElement | undefined {
  let row = (from.parentElement as HTMLTableRowElement).rowIndex + rows
  let column = from.cellIndex + columns
  for (; table.rows[row]?.cells[column]; row += rows, column += columns) {
    const cell = table.rows[row]?.cells[column]
    if (cell?.dataset.detail !== undefined) return cell as HTMLTableCellElement
  }
  return undefined
}

function cellOf({ target }: Event): HTMLTableCellElement | null {
  return target instanceof Element ? target.closest('td[data-detail]') : null
}
