import { ERROR_STATUS, type ErrorCode } from '../../../core/service-error.js'
import { ERROR_MEANINGS } from '../../../openapi/error-meanings.js'
import { Card } from '../../components/card.js'
import { CopyButton } from '../../components/copy-button.js'
import { DataTable, type Column } from '../../components/data-table.js'
import { InlineCode } from '../../components/inline-code.js'
import { Page } from '../../layout.js'
import { page, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import { readSnippets } from './code-snippets.js'
import { SnippetTabs } from './snippet-tabs.js'

export function showDevelopers(visit: MemberVisit): RouteReply {
  const { publicUrl } = visit
  return page(
    <Page
      visit={visit}
      title="Developers"
      lead="Get your first opener in a few minutes. There are no webhooks: you call, and the answer comes back."
      scripts={['copy-buttons.ts']}
    >
      <Card title="Base URL">
        <p class="secret-line">
          <code>{publicUrl}</code>
          <CopyButton text={publicUrl} label="Copy" />
        </p>
        <p>
          All calls are documented at <a href="/docs">/docs</a>, and as OpenAPI at{' '}
          <a href="/openapi.json">/openapi.json</a>. Try them in the{' '}
          <a href="/portal/playground">playground</a>.
        </p>
      </Card>
      <Card title="1. Get a key">
        <p>
          A test key (<code>sk_test_…</code>) has its own quota, and gets invented data when a photo
          cannot be fetched. A live key (<code>sk_live_…</code>) counts against your plan. Keep keys
          on your servers, never in an app.
        </p>
        <p class="secret-line">
          <code>export PROFILE_API_KEY=sk_test_…</code>
          <a class="button" href="/portal/keys">
            API keys
          </a>
        </p>
      </Card>
      <Card title="2. Write openers">
        <p>
          Save a photo next to the code as <code>photo.jpg</code>. A photo can be part of the
          request, as here, or an <code>https:</code> URL that the service fetches.{' '}
          <a href="/docs#/Calls/generateOpeners">All fields</a>.
        </p>
        <SnippetTabs name="Openers" snippets={readSnippets('openers', publicUrl)} />
        <p class="hint">
          The typed client is in the repository of the service:{' '}
          <code>npm pack --workspace client</code> builds the package to install. The Python code
          needs only the standard library.
        </p>
      </Card>
      <Card title="3. Report the outcome">
        <p>
          The pages Openers and Retention are computed from these events. <code>REQUEST_ID</code> is
          the <code>request_id</code> of the answer with the opener. The end user is a SHA-256 hash:
          the service takes no identifiers, names or addresses.{' '}
          <a href="/docs#/Calls/reportEvents">All fields</a>.
        </p>
        <SnippetTabs name="Events" snippets={readSnippets('events', publicUrl)} />
        <p class="hint">
          Report <code>opener_sent</code> when an opener was sent and{' '}
          <code>conversation_reply</code> when a reply came, up to 1,000 records a call. A record
          with a known <code>idempotency_key</code> is not counted again, so it is safe to send a
          batch twice.
        </p>
      </Card>
      <Card title="4. Make it robust">
        <ul class="plain-list">
          <li>
            <strong>Idempotency.</strong> Send <code>X-Idempotency-Key</code> with a UUID. If you
            repeat a request with the same key within 24 hours, you get the first answer, marked{' '}
            <code>Idempotent-Replayed: true</code>, and are charged once.
          </li>
          <li>
            <strong>Retries.</strong> Retry after a lost connection, <code>rate_limited</code>, 500
            and 503, with the same idempotency key, after the seconds in <code>Retry-After</code>.
            Retry nothing else. The TypeScript client does all this for you.
          </li>
          <li>
            <strong>Quota.</strong> Only a 200 is charged. <code>X-Service-Quota-Used</code> and{' '}
            <code>X-Service-Quota-Included</code> show where you stand this month.
          </li>
          <li>
            <strong>Rotation.</strong> After a rotation the old secret works for another 24 hours.{' '}
            <a href="/portal/keys">Rotate keys under API keys</a>.
          </li>
        </ul>
      </Card>
      <Card title="Errors">
        <p>
          Every error is <code>{'{ error, message, request_id }'}</code>. Rely on the code in{' '}
          <code>error</code>; the message is for people and may change.
        </p>
        <DataTable
          caption="Error codes"
          columns={ERROR_COLUMNS}
          rows={Object.keys(ERROR_STATUS) as ErrorCode[]}
          rowKey={(code) => code}
        />
      </Card>
    </Page>,
  )
}

const ERROR_COLUMNS: readonly Column<ErrorCode>[] = [
  { label: 'Code', cell: (code) => <code class="error-code">{code}</code> },
  { label: 'Status', numeric: true, cell: (code) => ERROR_STATUS[code] },
  { label: 'Meaning', cell: (code) => <InlineCode text={ERROR_MEANINGS[code].meaning} /> },
  { label: 'Retry', cell: (code) => (isRetryable(code) ? 'yes' : 'no') },
]

function isRetryable(code: ErrorCode): boolean {
  return code === 'rate_limited' || ERROR_STATUS[code] >= 500
}
