import { listNotices } from '../../../accounts/security-notices.js'
import type { MemberVisit } from '../../visit.js'
import { Card } from '../../components/card.js'
import { AuditList } from '../keys/audit-list.js'
import { describeChanges, type DescribedChange } from '../keys/describe-changes.js'

/** What owners should recognise as their own doing; empty for other members. */
export async function loadNotices(visit: MemberVisit): Promise<DescribedChange[]> {
  const { services, session, now } = visit
  if (session.role !== 'owner') return []
  const { organizationId } = session
  const entries = await listNotices(services.db, { organizationId, now })
  return describeChanges(services.db, entries)
}

export function NoticesCard({ notices }: { notices: readonly DescribedChange[] }) {
  if (notices.length === 0) return null
  return (
    <Card title="Was this you?" actions={<a href="/portal/keys/audit">Audit log</a>}>
      <p class="muted">
        New owners, live keys, identities and passkeys of the last 30 days. If you do not know one
        of them, revoke the key or remove the member, and ask the operator of the service for help.
      </p>
      <AuditList changes={notices} stacks />
    </Card>
  )
}
