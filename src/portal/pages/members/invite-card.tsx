import { ROLES, type Role } from '../../../accounts/role.js'
import { Card } from '../../components/card.js'
import { CopyButton } from '../../components/copy-button.js'
import { Field } from '../../components/field.js'
import { PostForm } from '../../components/post-form.js'
import { ROLE_DESCRIPTIONS } from '../../role-descriptions.js'
import type { MemberVisit } from '../../visit.js'

/** The lowest role first. */
const OFFERED_ROLES: readonly Role[] = [...ROLES].reverse()

export function InviteCard({ visit }: { visit: MemberVisit }) {
  const chosen = visit.form.get('role') ?? 'viewer'
  return (
    <Card title="Invite somebody">
      <PostForm visit={visit} action="/portal/members/invitations">
        <fieldset>
          <legend>Role</legend>
          {OFFERED_ROLES.map((role) => (
            <label key={role} class="choice">
              <input type="radio" name="role" value={role} checked={role === chosen} />
              <span>
                <strong>{role}</strong>: {ROLE_DESCRIPTIONS[role]}
              </span>
            </label>
          ))}
        </fieldset>
        <Field
          name="email"
          label="E-mail address (optional)"
          type="email"
          autocomplete="off"
          value={visit.form.get('email') ?? ''}
          hint="If you enter one, only that person can use the link, and the address counts as verified: send the link there yourself. Without one, anyone with the link can use it, with a sign-in name instead of an address."
        />
        <div class="button-row">
          <button type="submit" class="primary">
            Create invitation link
          </button>
        </div>
      </PostForm>
    </Card>
  )
}

export function InvitationLinkCard({ link }: { link: string }) {
  return (
    <Card title="The invitation is ready">
      <p>Send this link. It works once, within 72 hours, and is not shown again.</p>
      <div class="secret-line">
        <code>{link}</code>
        <CopyButton text={link} label="Copy link" />
      </div>
    </Card>
  )
}
