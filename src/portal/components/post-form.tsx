import type { ComponentChildren } from 'preact'
import { FORM_TOKEN_FIELD } from '../form-guard.js'
import type { MemberVisit } from '../visit.js'

export interface PostFormProps {
  visit: MemberVisit
  action: `/portal/${string}`
  class?: string
  /** What the browser module `passkeys.ts` does with the form. */
  'data-passkey'?: 'add'
  children: ComponentChildren
}

/** A form that changes something. It carries the CSRF token, without which the portal refuses it. */
export function PostForm({ visit, action, children, ...form }: PostFormProps) {
  return (
    <form method="post" action={action} {...form}>
      <input type="hidden" name={FORM_TOKEN_FIELD} value={visit.formToken} />
      {children}
    </form>
  )
}
