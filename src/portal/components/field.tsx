import type { ComponentChildren, InputHTMLAttributes } from 'preact'

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  name: string
  label: string
  hint?: ComponentChildren
}

/** A labelled input; `name` is also its id. */
export function Field({ name, label, hint, ...input }: FieldProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        aria-describedby={hint ? `${name}-hint` : undefined}
        {...input}
      />
      {hint && (
        <p id={`${name}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}
