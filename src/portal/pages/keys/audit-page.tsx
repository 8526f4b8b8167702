import { Card } from '../../components/card.js'
import { Page } from '../../layout.js'
import type { MemberVisit } from '../../visit.js'
import { AuditList } from './audit-list.js'
import type { DescribedChange } from './describe-changes.js'

interface AuditPageProps {
  visit: MemberVisit
  changes: readonly DescribedChange[]
  isFirst: boolean
  /** Id before which the next page of entries starts; undefined on the last page. */
  nextBefore: number | undefined
}

export function AuditPage({ visit, changes, isFirst, nextBefore }: AuditPageProps) {
  return (
    <Page
      visit={visit}
      title="Audit log"
      lead="Who changed the keys, members, plan and learning of your organisation, and when."
      actions={<a href="/portal/keys">API keys</a>}
    >
      <Card>
        <AuditList changes={changes} />
      </Card>
      <nav class="button-row" aria-label="Pages of the audit log">
        {!isFirst && (
          <a class="button" href="/portal/keys/audit">
            Newest
          </a>
        )}
        {nextBefore !== undefined && (
          <a class="button" href={`/portal/keys/audit?before=${nextBefore}`}>
            Older
          </a>
        )}
      </nav>
    </Page>
  )
}
