import type { PasskeySummary } from '../../../accounts/passkey.js'
import { supportsPasskeys } from '../../../accounts/webauthn.js'
import { Card } from '../../components/card.js'
import { DataTable, type Column } from '../../components/data-table.js'
import { Field } from '../../components/field.js'
import { Moment } from '../../components/moment.js'
import { PostForm } from '../../components/post-form.js'
import type { MemberVisit } from '../../visit.js'

interface PasskeysCardProps {
  visit: MemberVisit
  passkeys: readonly PasskeySummary[]
  hasPassword: boolean
}

/** Passkeys and a form to add one, which needs the browser module `passkeys.ts`; nothing where browsers allow none. */
export function PasskeysCard({ visit, passkeys, hasPassword }: PasskeysCardProps) {
  if (!supportsPasskeys(visit.publicUrl)) return null
  return (
    <Card title="Passkeys">
      {passkeys.length === 0 ? (
        <p>
          With a passkey you sign in by the lock of your device. It works on this site only, so
          nobody can talk you out of it.
        </p>
      ) : (
        <DataTable
          caption="Passkeys of your account"
          columns={columns(visit)}
          rows={passkeys}
          rowKey={({ id }) => id}
          stacks
        />
      )}
      <PostForm
        visit={visit}
        action="/portal/account/passkeys"
        class="form narrow"
        data-passkey="add"
      >
        {hasPassword && (
          <Field
            id="passkey-password"
            name="password"
            label="Your password"
            type="password"
            autocomplete="current-password"
            required
          />
        )}
        <p class="field-error" role="alert" data-passkey-problem />
        <div class="button-row">
          <button type="submit" hidden>
            Add a passkey
          </button>
        </div>
        <noscript>Adding a passkey needs JavaScript.</noscript>
      </PostForm>
    </Card>
  )
}

function columns(visit: MemberVisit): Column<PasskeySummary>[] {
  return [
    { label: 'Added in', cell: ({ device }) => device },
    { label: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      label: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Moment at={lastUsedAt} />),
    },
    {
      label: 'Actions',
      cell: ({ id }) => (
        <PostForm visit={visit} action={`/portal/account/passkeys/${id}/remove`}>
          <button type="submit" class="danger-quiet">
            Remove
          </button>
        </PostForm>
      ),
    },
  ]
}
