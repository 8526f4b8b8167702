/** The rows of each key, in the order of their first rows. */
export function groupRows<Row>(rows: readonly Row[], groupOf: (row: Row) => unknown): Row[][] {
  const groups = new Map<unknown, Row[]>()
  for (const row of rows) {
    const key = groupOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}
