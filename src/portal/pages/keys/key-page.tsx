import type { KeySummary } from '../../../organizations/list-keys.js'
import { isAtLeast } from '../../../accounts/role.js'
import { Ago } from '../../components/ago.js'
import { Card } from '../../components/card.js'
import { formatMoment, Moment } from '../../components/moment.js'
import { DoneNotice, ErrorNotice } from '../../components/notices.js'
import { Page } from '../../layout.js'
import type { MemberVisit } from '../../visit.js'
import { AuditList } from './audit-list.js'
import { formatCapabilities } from './capability-actions.js'
import type { DescribedChange } from './describe-changes.js'
import { GraceCard } from './grace-card.js'
import { EnvironmentBadge, SecretPrefix, StatusBadge } from './key-badges.js'
import { RevokeCard } from './revoke-card.js'
import { RotateCard } from './rotate-card.js'

export interface KeyPageProps {
  visit: MemberVisit
  summary: KeySummary
  /** Changes of this key, newest first. */
  changes: readonly DescribedChange[]
  /** Confirmation of a change that was just made. */
  done?: string | undefined
  /** Why a change was not made. */
  problem?: string
}

export function KeyPage({ visit, summary, changes, done, problem }: KeyPageProps) {
  const mayChange = isAtLeast(visit.session.role, 'developer')
  const isActive = summary.status === 'active'
  return (
    <Page
      visit={visit}
      title={summary.name}
      lead={
        <span class="badges">
          <EnvironmentBadge environment={summary.environment} />
          <StatusBadge {...summary} />
          <SecretPrefix prefix={summary.prefix} />
        </span>
      }
      actions={<a href="/portal/keys">API keys</a>}
      scripts={['countdowns.ts']}
    >
      {problem && <ErrorNotice>{problem}</ErrorNotice>}
      {done && <DoneNotice>{done}</DoneNotice>}
      {summary.oldSecret && (
        <GraceCard
          visit={visit}
          summary={summary}
          oldSecret={summary.oldSecret}
          mayChange={mayChange}
        />
      )}
      <Card title="About this key">
        <KeyFacts summary={summary} now={visit.now} />
      </Card>
      {isActive && mayChange && <RotateCard visit={visit} summary={summary} />}
      {isActive && mayChange && <RevokeCard visit={visit} summary={summary} />}
      <Card title="History">
        <AuditList changes={changes} />
      </Card>
    </Page>
  )
}

function KeyFacts({ summary, now }: { summary: KeySummary; now: number }) {
  const { lastUsedAt, createdAt, secretCreatedAt, expiresAt, revokedAt } = summary
  return (
    <dl class="facts">
      <dt>Can</dt>
      <dd>{formatCapabilities(summary.capabilities)}</dd>
      <dt>Last used</dt>
      <dd>{lastUsedAt === null ? 'never' : <Ago at={lastUsedAt} now={now} />}</dd>
      <dt>Created</dt>
      <dd>
        <Moment at={createdAt} />
      </dd>
      {secretCreatedAt > createdAt && (
        <>
          <dt>Rotated</dt>
          <dd>
            <Moment at={secretCreatedAt} />
          </dd>
        </>
      )}
      {revokedAt !== null ? (
        <>
          <dt>Revoked</dt>
          <dd>
            <Moment at={revokedAt} />
          </dd>
        </>
      ) : (
        <>
          <dt>Expires</dt>
          <dd>{expiresAt === null ? 'never' : formatMoment(expiresAt)}</dd>
        </>
      )}
      <dt>ID</dt>
      <dd>
        <code>{summary.keyId}</code>
      </dd>
    </dl>
  )
}
