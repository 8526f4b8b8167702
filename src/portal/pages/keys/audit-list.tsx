import { DataTable, type Column } from '../../components/data-table.js'
import { Moment } from '../../components/moment.js'
import type { DescribedChange } from './describe-changes.js'

const COLUMNS: readonly Column<DescribedChange>[] = [
  { label: 'When', cell: ({ at }) => <Moment at={at} /> },
  { label: 'Who', cell: ({ actor }) => actor },
  {
    label: 'What',
    cell: ({ what, key, note }) => (
      <>
        {what} {key && <a href={`/portal/keys/${key.keyId}`}>{key.name}</a>}
        {note && <span class="muted">, {note}</span>}
      </>
    ),
  },
]

interface AuditListProps {
  changes: readonly DescribedChange[]
  /** Whether narrow screens show each change as a block. */
  stacks?: boolean
}

/** A table of who changed what, and when. */
export function AuditList({ changes, stacks = false }: AuditListProps) {
  if (changes.length === 0) return <p class="muted">No changes yet.</p>
  return (
    <DataTable
      caption="Changes, newest first"
      columns={COLUMNS}
      rows={changes}
      rowKey={({ id }) => String(id)}
      stacks={stacks}
    />
  )
}
