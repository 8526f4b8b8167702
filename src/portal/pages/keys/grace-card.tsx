import type { KeySummary, OldSecret } from '../../../organizations/list-keys.js'
import { Ago } from '../../components/ago.js'
import { Card } from '../../components/card.js'
import { ConfirmForm } from '../../components/confirm-form.js'
import { Countdown } from '../../components/countdown.js'
import { Moment } from '../../components/moment.js'
import type { MemberVisit } from '../../visit.js'
import { SecretPrefix } from './key-badges.js'

interface GraceCardProps {
  visit: MemberVisit
  summary: KeySummary
  oldSecret: OldSecret
  mayChange: boolean
}

/** Shown while two secrets work after a rotation: when the old one ends, and whether it is still in use. */
export function GraceCard({ visit, summary, oldSecret, mayChange }: GraceCardProps) {
  const { keyId, name } = summary
  return (
    <Card title="Two secrets work">
      <p class="grace-countdown">
        The old secret works for another <Countdown endsAt={oldSecret.endsAt} now={visit.now} />
      </p>
      <dl class="facts">
        <dt>New secret</dt>
        <dd>
          <SecretPrefix prefix={summary.prefix} /> created <Moment at={summary.secretCreatedAt} />
        </dd>
        <dt>Old secret</dt>
        <dd>
          <SecretPrefix prefix={oldSecret.prefix} /> <LastUse secret={oldSecret} now={visit.now} />
        </dd>
      </dl>
      {isUsedSince(oldSecret, summary.secretCreatedAt) ? (
        <p>
          <strong>The old secret was used after the rotation:</strong> at least one server does not
          have the new one yet. Once the old secret ends, such requests get{' '}
          <code>401 api_key_expired</code>.
        </p>
      ) : (
        <p>
          No use of the old secret was seen after the rotation. Uses are recorded once a minute, so
          look again before you end it.
        </p>
      )}
      {mayChange && (
        <div class="button-row">
          <ConfirmForm
            id="end-old-secret"
            visit={visit}
            action={`/portal/keys/${keyId}/end-old-secret`}
            label="End the old secret now"
            question={`End the old secret of “${name}” now?`}
            confirm="End the old secret"
          >
            <p>
              From then on, requests with <SecretPrefix prefix={oldSecret.prefix} /> get a 401. The
              new secret <SecretPrefix prefix={summary.prefix} /> keeps working.
            </p>
          </ConfirmForm>
        </div>
      )}
    </Card>
  )
}

/** Uses are recorded at most once a minute, so `false` proves nothing within a minute of the rotation. */
function isUsedSince({ lastUsedAt }: OldSecret, rotatedAt: number): boolean {
  return lastUsedAt !== null && lastUsedAt > rotatedAt
}

function LastUse({ secret: { lastUsedAt }, now }: { secret: OldSecret; now: number }) {
  if (lastUsedAt === null) return <>never used</>
  return (
    <>
      last used <Ago at={lastUsedAt} now={now} />
    </>
  )
}
