import { PlainPage } from '../layout.js'
import type { Visit } from '../visit.js'
import { Field } from './field.js'

/** The form field that carries the secret of a link. */
export const LINK_FIELD = 'token'

interface OpenLinkPageProps {
  visit: Visit
  title: string
  action: `/portal/${string}`
}

/**
 * The page that a link with a secret opens. The server does not see the secret, which is the part of the address after
 * `#`; a browser module sends it by this form. Without script people paste it.
 */
export function OpenLinkPage({ visit, title, action }: OpenLinkPageProps) {
  return (
    <PlainPage visit={visit} title={title} scripts={['open-link.ts']}>
      <div class="card">
        <form method="post" action={action} data-open-link>
          <Field
            name={LINK_FIELD}
            label="Code from your link"
            autocomplete="off"
            spellcheck={false}
            required
            hint="Your browser fills this in by itself when you open the whole link. Without JavaScript, paste the part of the link after the # sign."
          />
          <button type="submit" class="primary">
            Continue
          </button>
        </form>
      </div>
    </PlainPage>
  )
}

/** Carries the secret of the link to the next form. */
export function LinkSecret({ visit }: { visit: Visit }) {
  return <input type="hidden" name={LINK_FIELD} value={visit.form.get(LINK_FIELD) ?? ''} />
}
