import type { ComponentChildren } from 'preact'
import { Field } from './field.js'

interface NewPasswordFieldProps {
  label?: string
  hint: ComponentChildren
}

/** Where somebody chooses a password, or enters that of an account which the page must not reveal. */
export function NewPasswordField({ label = 'Password', hint }: NewPasswordFieldProps) {
  return (
    <Field
      name="password"
      label={label}
      type="password"
      autocomplete="new-password"
      required
      hint={hint}
    />
  )
}
