import type { IssuedKey } from '../../../organizations/api-key.js'
import type { KeySummary } from '../../../organizations/list-keys.js'
import { Card } from '../../components/card.js'
import { CopyButton } from '../../components/copy-button.js'
import { Countdown } from '../../components/countdown.js'
import { Page } from '../../layout.js'
import type { MemberVisit } from '../../visit.js'
import { SecretPrefix } from './key-badges.js'

interface SecretPageProps {
  visit: MemberVisit
  /** The key as it is now. */
  summary: KeySummary
  issued: IssuedKey
}

/** The only page that shows a secret: the response to the form that created it. */
export function SecretPage({ visit, summary, issued }: SecretPageProps) {
  const { keyId, name, oldSecret } = summary
  return (
    <Page
      visit={visit}
      title={`The secret of “${name}”`}
      lead="It is shown only once. The service stores a hash and cannot show it again."
      scripts={['copy-buttons.ts', 'one-time-secret.ts', 'countdowns.ts']}
    >
      <Card title={oldSecret ? 'The new secret' : 'The secret'}>
        <p class="secret-line" data-one-time-secret={`/portal/keys/${keyId}`}>
          <code>{issued.apiKey}</code>
          <CopyButton text={issued.apiKey} label="Copy the secret" />
        </p>
        <p>
          Put it where your servers read their secrets, never into an app, a web page or a
          repository. If you lose it, rotate the key to get a new one.
        </p>
      </Card>
      {oldSecret && (
        <Card title="The old secret">
          <p>
            <SecretPrefix prefix={oldSecret.prefix} /> works for another{' '}
            <Countdown endsAt={oldSecret.endsAt} now={visit.now} />
          </p>
          <p>
            No request fails while you deploy the new secret to your servers. The page of the key
            shows when the old one was last used, and lets you end it early.
          </p>
        </Card>
      )}
      <div class="button-row">
        <a class="button primary" href={`/portal/keys/${keyId}`}>
          I have stored it
        </a>
      </div>
    </Page>
  )
}
