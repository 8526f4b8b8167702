import type { ComponentChildren } from 'preact'
import { isAtLeast } from '../../../accounts/role.js'
import { Ago } from '../../components/ago.js'
import { Card } from '../../components/card.js'
import { Countdown } from '../../components/countdown.js'
import { Moment } from '../../components/moment.js'
import { EmptyState } from '../../components/notices.js'
import { Page } from '../../layout.js'
import type { MemberVisit } from '../../visit.js'
import type { KeySummary } from '../../../organizations/list-keys.js'
import { AuditList } from './audit-list.js'
import type { DescribedChange } from './describe-changes.js'
import { formatCapabilities } from './capability-actions.js'
import { SecretPrefix, StatusBadge } from './key-badges.js'

/** Older ones appear in the audit log only. */
const MAX_ENDED_KEYS = 50

interface KeysPageProps {
  visit: MemberVisit
  keys: readonly KeySummary[]
  /** The latest entries of the audit log. */
  changes: readonly DescribedChange[]
}

export function KeysPage({ visit, keys, changes }: KeysPageProps) {
  const mayChange = isAtLeast(visit.session.role, 'developer')
  const inUse = keys.filter((key) => key.status === 'active')
  const ended = keys.filter((key) => key.status !== 'active').reverse()
  const listOf = (environment: KeySummary['environment']) =>
    inUse.filter((key) => key.environment === environment)
  return (
    <Page
      visit={visit}
      title="API keys"
      scripts={['countdowns.ts']}
      lead="Your servers use these keys to call the service. A secret is shown once, when it is created."
      actions={
        mayChange && (
          <a class="button primary" href="/portal/keys/new">
            Create a key
          </a>
        )
      }
    >
      <KeyCard title="Live" now={visit.now} keys={listOf('live')}>
        A live key counts against your plan. Create one when your product goes live.
      </KeyCard>
      <KeyCard title="Test" now={visit.now} keys={listOf('test')}>
        A test key has its own quota, for development and the playground.
      </KeyCard>
      {ended.length > 0 && (
        <details class="card">
          <summary>Ended keys ({ended.length})</summary>
          <KeyList now={visit.now} keys={ended.slice(0, MAX_ENDED_KEYS)} />
        </details>
      )}
      <Card title="Latest changes" actions={<a href="/portal/keys/audit">Full audit log</a>}>
        <AuditList changes={changes} />
      </Card>
    </Page>
  )
}

interface KeyListProps {
  keys: readonly KeySummary[]
  now: number
}

function KeyCard(props: KeyListProps & { title: string; children: ComponentChildren }) {
  return (
    <Card title={props.title}>
      {props.keys.length > 0 ? (
        <KeyList {...props} />
      ) : (
        <EmptyState title={`No ${props.title.toLowerCase()} keys`}>
          <p>{props.children}</p>
        </EmptyState>
      )}
    </Card>
  )
}

function KeyList({ keys, now }: KeyListProps) {
  return (
    <ul class="key-list">
      {keys.map((key) => (
        <li key={key.keyId}>
          <div class="key-name">
            <a href={`/portal/keys/${key.keyId}`}>{key.name}</a>
            <SecretPrefix prefix={key.prefix} />
          </div>
          <StatusBadge {...key} />
          <dl>
            <div>
              <dt>Can</dt>
              <dd>{formatCapabilities(key.capabilities)}</dd>
            </div>
            <div>
              <dt>Last used</dt>
              <dd>{key.lastUsedAt === null ? 'never' : <Ago at={key.lastUsedAt} now={now} />}</dd>
            </div>
            {key.oldSecret && (
              <div>
                <dt>Old secret</dt>
                <dd>
                  <Countdown endsAt={key.oldSecret.endsAt} now={now} />
                </dd>
              </div>
            )}
            <div>
              <dt>Created</dt>
              <dd>
                <Moment at={key.createdAt} />
              </dd>
            </div>
          </dl>
        </li>
      ))}
    </ul>
  )
}
