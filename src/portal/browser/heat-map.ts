/** Tells the numbers of the cell that is pointed at, and lets the arrow keys walk over the cells. */

const STEPS: Record<string, readonly [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

for (const table of document.querySelectorAll<HTMLTableElement>('[data-heat-map]')) {
  const detail = document.querySelector('[data-heat-detail]')
  const cells = table.querySelectorAll<HTMLTableCellElement>('td[data-detail]')
  // One stop of the Tab key for the whole map.
  for (const [index, cell] of cells.entries()) cell.tabIndex = index === 0 ? 0 : -1
  for (const cell of cells) cell.removeAttribute('title')

  const tell = (event: Event) => {
    const cell = cellOf(event)
    if (cell && detail) detail.textContent = cell.dataset.detail ?? ''
  }
  table.addEventListener('pointerover', tell)
  table.addEventListener('focusin', tell)
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

/** Over the empty cells of weeks that are still to come. */
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
