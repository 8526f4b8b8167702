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

/** While two secrets work after a rotation: until when, and whether the old one is still in use. */
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
          <SecretPrefix prefix={summary.prefix} /> made <Moment at={summary.secretCreatedAt} />
        </dd>
        <dt>Old secret</dt>
        <dd>
          <SecretPrefix prefix={oldSecret.prefix} /> {tellUse(oldSecret, visit.now)}
        </dd>
      </dl>
      {isUsedSince(oldSecret, summary.secretCreatedAt) ? (
        <p>
          <strong>The old secret was used after the rotation:</strong> some server has not got the
          new one yet. After the end its requests are answered <code>401 api_key_expired</code>.
        </p>
      ) : (
        <p>
          No use of the old secret was noted after the rotation. Uses are noted once a minute: look
          again before you end it.
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
              Requests with <SecretPrefix prefix={oldSecret.prefix} /> are answered 401 from then
              on. The new secret <SecretPrefix prefix={summary.prefix} /> keeps working.
            </p>
          </ConfirmForm>
        </div>
      )}
    </Card>
  )
}

/** A use within a minute of one before the rotation is not noted, so `false` is no proof in the first minute. */
function isUsedSince({ lastUsedAt }: OldSecret, rotatedAt: number): boolean {
  return lastUsedAt !== null && lastUsedAt > rotatedAt
}

function tellUse({ lastUsedAt }: OldSecret, now: number) {
  if (lastUsedAt === null) return 'never used'
  return (
    <>
      last used <Ago at={lastUsedAt} now={now} />
    </>
  )
}
