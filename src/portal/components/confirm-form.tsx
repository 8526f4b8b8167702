import type { ComponentChildren } from 'preact'
import { PostForm, type PostFormProps } from './post-form.js'

interface ConfirmFormProps extends Omit<PostFormProps, 'children'> {
  /** Unique on the page. */
  id: string
  /** Text of the button that opens the question. */
  label: string
  /** Such as `Revoke the key “Backend”?`. */
  question: string
  /** What the change does. */
  children: ComponentChildren
  /** Text of the button that sends the form. */
  confirm: string
  /** `primary` for a harmless change, `plain` for one that the page does not suggest. Defaults to `danger`. */
  tone?: 'danger' | 'primary' | 'plain'
}

/** Classes of the button that opens the question. */
const OPENER_CLASSES = { danger: 'danger-quiet', primary: 'primary', plain: undefined } as const

/** A button that asks for confirmation before its form is sent. Works without script. */
export function ConfirmForm(props: ConfirmFormProps) {
  const { id, label, question, confirm, tone = 'danger', children, ...form } = props
  return (
    <>
      <button type="button" class={OPENER_CLASSES[tone]} popovertarget={id}>
        {label}
      </button>
      <div id={id} class="dialog" popover="auto" role="dialog" aria-labelledby={`${id}-question`}>
        <h2 id={`${id}-question`}>{question}</h2>
        <PostForm {...form}>
          {children}
          <div class="button-row">
            <button type="submit" class={tone === 'danger' ? 'danger' : 'primary'}>
              {confirm}
            </button>
            <button type="button" popovertarget={id} popovertargetaction="hide">
              Cancel
            </button>
          </div>
        </PostForm>
      </div>
    </>
  )
}
