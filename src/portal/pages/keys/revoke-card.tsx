import type { KeySummary } from '../../../organizations/list-keys.js'
import { Ago } from '../../components/ago.js'
import { Card } from '../../components/card.js'
import { ConfirmForm } from '../../components/confirm-form.js'
import type { MemberVisit } from '../../visit.js'

export function RevokeCard({ visit, summary }: { visit: MemberVisit; summary: KeySummary }) {
  const { keyId, name, lastUsedAt } = summary
  return (
    <Card title="Revoke the key">
      <p>
        Revoking ends the key and all its secrets at once and for good: requests with it get{' '}
        <code>401 invalid_api_key</code>. To replace a secret without an outage, rotate it instead.
      </p>
      <div class="button-row">
        <ConfirmForm
          id="revoke"
          visit={visit}
          action={`/portal/keys/${keyId}/revoke`}
          label="Revoke now"
          question={`Revoke the ${summary.environment} key “${name}”?`}
          confirm={`Revoke “${name}”`}
        >
          <p>
            {lastUsedAt === null ? (
              'It was never used.'
            ) : (
              <>
                It was last used <Ago at={lastUsedAt} now={visit.now} />.
              </>
            )}{' '}
            This cannot be undone.
          </p>
        </ConfirmForm>
      </div>
    </Card>
  )
}
