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
      lead="From nothing to the first opener in a few minutes. No webhooks: you call, and the answer comes back."
      scripts={['copy-buttons.ts']}
    >
      <Card title="Base address">
        <p class="secret-line">
          <code>{publicUrl}</code>
          <CopyButton text={publicUrl} label="Copy" />
        </p>
        <p>
          All calls are described at <a href="/docs">/docs</a>, and as OpenAPI at{' '}
          <a href="/openapi.json">/openapi.json</a>. Try them in the{' '}
          <a href="/portal/playground">playground</a>.
        </p>
      </Card>
      <Card title="1. Get a key">
        <p>
          A test key (<code>sk_test_…</code>) has a quota of its own, and gets invented data where a
          photo cannot be fetched. A live key (<code>sk_live_…</code>) counts against your plan.
          Keys belong on your servers, never in an app.
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
          Put a photo beside the code as <code>photo.jpg</code>. A photo is inside the request as
          here, or an <code>https:</code> address that the service fetches.{' '}
          <a href="/docs#/Calls/generateOpeners">All fields</a>.
        </p>
        <SnippetTabs name="Openers" snippets={readSnippets('openers', publicUrl)} />
        <p class="hint">
          The typed client is in the folder <code>client</code> of the service:{' '}
          <code>npm pack --workspace client</code> there gives the package to install. Python needs
          its standard library only.
        </p>
      </Card>
      <Card title="3. Report what came of it">
        <p>
          The pages Openers and Retention are computed from these events. <code>REQUEST_ID</code> is
          the <code>request_id</code> of the answer that held the opener, and the end user is a
          SHA-256 hash: the service takes no identifiers, names or addresses.{' '}
          <a href="/docs#/Calls/reportEvents">All fields</a>.
        </p>
        <SnippetTabs name="Events" snippets={readSnippets('events', publicUrl)} />
        <p class="hint">
          <code>opener_sent</code> when it was sent, <code>conversation_reply</code> when a reply
          came; up to 1,000 records in one call. A record with a known <code>idempotency_key</code>{' '}
          is not counted again, so a batch can be sent twice.
        </p>
      </Card>
      <Card title="4. Make it robust">
        <ul class="plain-list">
          <li>
            <strong>Idempotency.</strong> Send <code>X-Idempotency-Key</code> with a UUID. The same
            request with the same key within 24 hours gets the first answer, marked{' '}
            <code>Idempotent-Replayed: true</code>, and is charged once.
          </li>
          <li>
            <strong>Retries.</strong> Repeat after a lost connection, <code>rate_limited</code>, 500
            and 503, with the same idempotency key, after the seconds of <code>Retry-After</code>.
            Repeat nothing else. The TypeScript client does all that.
          </li>
          <li>
            <strong>Quota.</strong> Only a 200 is charged. <code>X-Service-Quota-Used</code> and{' '}
            <code>X-Service-Quota-Included</code> tell where you stand this month.
          </li>
          <li>
            <strong>Rotation.</strong> A rotated key’s old secret works for 24 hours more:{' '}
            <a href="/portal/keys">rotate under API keys</a>.
          </li>
        </ul>
      </Card>
      <Card title="Errors">
        <p>
          Every error is <code>{'{ error, message, request_id }'}</code>. Rely on <code>error</code>
          ; the message is for people.
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
