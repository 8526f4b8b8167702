import { CAPABILITIES, ENVIRONMENTS, type Environment } from '../../../organizations/capability.js'
import { Card } from '../../components/card.js'
import { Field } from '../../components/field.js'
import { ErrorNotice } from '../../components/notices.js'
import { PostForm } from '../../components/post-form.js'
import { Page } from '../../layout.js'
import type { MemberVisit } from '../../visit.js'
import { CAPABILITY_ACTIONS } from './capability-actions.js'
import { LIFETIMES, type KeyForm } from './key-form.js'

interface NewKeyPageProps {
  visit: MemberVisit
  form: KeyForm
  /** Why the form was refused. */
  problem?: string
}

export function NewKeyPage({ visit, form, problem }: NewKeyPageProps) {
  return (
    <Page
      visit={visit}
      title="Create a key"
      lead="Its secret is shown once, on the next page."
      actions={<a href="/portal/keys">API keys</a>}
    >
      <Card>
        {problem && <ErrorNotice>{problem}</ErrorNotice>}
        <PostForm visit={visit} action="/portal/keys" class="form narrow">
          <input type="hidden" name="key_id" value={form.keyId} />
          <Field
            name="name"
            label="Name"
            hint="Something you will recognise, such as the server that uses the key."
            value={form.name}
            required
            maxLength={100}
            autocomplete="off"
          />
          <fieldset>
            <legend>Environment</legend>
            {ENVIRONMENTS.map((environment) => (
              <label key={environment} class="choice">
                <input
                  type="radio"
                  name="environment"
                  value={environment}
                  checked={form.environment === environment}
                />
                <span>
                  {environment} <span class="hint">{ENVIRONMENT_HINTS[environment]}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <fieldset>
            <legend>What it can do</legend>
            {CAPABILITIES.map((capability) => (
              <label key={capability} class="choice">
                <input
                  type="checkbox"
                  name="capability"
                  value={capability}
                  checked={form.capabilities.includes(capability)}
                />
                <span>
                  {CAPABILITY_ACTIONS[capability]} <code class="hint">{capability}</code>
                </span>
              </label>
            ))}
          </fieldset>
          <div class="field">
            <label for="lifetime">Expires</label>
            <select id="lifetime" name="lifetime">
              {Object.entries(LIFETIMES).map(([value, { label }]) => (
                <option key={value} value={value} selected={value === form.lifetime}>
                  {label}
                </option>
              ))}
            </select>
          </div>
          <div class="button-row">
            <button type="submit" class="primary">
              Create the key
            </button>
            <a class="button" href="/portal/keys">
              Cancel
            </a>
          </div>
        </PostForm>
      </Card>
    </Page>
  )
}

const ENVIRONMENT_HINTS: Record<Environment, string> = {
  test: 'for development: has its own quota and is never billed',
  live: 'for production: counts against your plan',
}
