import type { ComponentChildren, InputHTMLAttributes } from 'preact'

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  name: string
  /** Unique on the page. Default: `name`. */
  id?: string
  label: string
  hint?: ComponentChildren
  /** Read by `browser/sign-in-name.ts`. */
  'data-name-suffix'?: string
}

/** A labelled input. */
export function Field({ name, id = name, label, hint, ...input }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} name={name} aria-describedby={hint ? `${id}-hint` : undefined} {...input} />
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}
