import type { KeySummary } from '../../../organizations/list-keys.js'
import { Card } from '../../components/card.js'
import { ConfirmForm } from '../../components/confirm-form.js'
import type { MemberVisit } from '../../visit.js'
import { SecretPrefix } from './key-badges.js'

interface RotateCardProps {
  visit: MemberVisit
  summary: KeySummary
}

/** Explains and offers a rotation. The form names the secret that the page shows, so that no later one is replaced. */
export function RotateCard({ visit, summary }: RotateCardProps) {
  const { keyId, name, oldSecret } = summary
  return (
    <Card title="Rotate the secret">
      <ol class="steps">
        <li>You get a new secret, shown once.</li>
        <li>The current one keeps working for 24 hours, so no request fails.</li>
        <li>Deploy the new secret to your servers.</li>
        <li>
          After 24 hours the old secret ends automatically. This page shows whether it is still
          used, and lets you end it sooner if it leaked.
        </li>
      </ol>
      {oldSecret && (
        <p class="notice warning">
          At most two secrets work at a time. Rotating again now ends{' '}
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
              <SecretPrefix prefix={oldSecret.prefix} /> from the previous rotation ends at once.
            </p>
          )}
        </ConfirmForm>
      </div>
    </Card>
  )
}
