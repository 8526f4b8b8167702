import type { KeySummary } from '../../../organizations/list-keys.js'
import { Card } from '../../components/card.js'
import { ConfirmForm } from '../../components/confirm-form.js'
import type { MemberVisit } from '../../visit.js'
import { SecretPrefix } from './key-badges.js'

interface KeyCardProps {
  visit: MemberVisit
  summary: KeySummary
}

/** What a rotation does, and the form for it: it replaces the secret that this page shows and no later one. */
export function RotateCard({ visit, summary }: KeyCardProps) {
  const { keyId, name, oldSecret } = summary
  return (
    <Card title="Rotate the secret">
      <ol class="steps">
        <li>You get a new secret, shown once.</li>
        <li>The present one goes on working for 24 hours: no request fails meanwhile.</li>
        <li>Bring the new secret to your servers.</li>
        <li>
          After 24 hours the old secret ends by itself. This page tells whether it is still used,
          and ends it sooner if it leaked.
        </li>
      </ol>
      {oldSecret && (
        <p class="notice warning">
          Two secrets work at most. Rotating again now ends{' '}
          <SecretPrefix prefix={oldSecret.prefix} /> at once.
        </p>
      )}
      <div class="button-row">
        <ConfirmForm
          id="rotate"
          visit={visit}
          action={`/portal/keys/${keyId}/rotate`}
          label="Rotate"
          question={`Rotate the key “${name}”?`}
          confirm="Rotate the key"
          tone="primary"
        >
          <input type="hidden" name="secret_created_at" value={summary.secretCreatedAt} />
          <p>
            The next page shows the new secret, once. <SecretPrefix prefix={summary.prefix} /> works
            for another 24 hours.
          </p>
          {oldSecret && (
            <p>
              <SecretPrefix prefix={oldSecret.prefix} /> from the rotation before ends at once.
            </p>
          )}
        </ConfirmForm>
      </div>
    </Card>
  )
}
