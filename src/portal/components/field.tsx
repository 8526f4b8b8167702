import type { ComponentChildren, InputHTMLAttributes } from 'preact'

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  name: string
  label: string
  hint?: ComponentChildren
  /** What is wrong with what was entered. */
  problem?: string | undefined
}

/** A labelled line of input; `name` is also its id. */
export function Field({ name, label, hint, problem, ...input }: FieldProps) {
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        aria-describedby={described || undefined}
        aria-invalid={problem ? true : undefined}
        {...input}
      />
      {hint && (
        <p id={`${name}-hint`} class="hint">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${name}-problem`} class="problem">
          {problem}
        </p>
      )}
    </div>
  )
}
