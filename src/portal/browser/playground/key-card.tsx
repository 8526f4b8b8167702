import { useState } from 'preact/hooks'
import type {
  PlaygroundKeyAnswer,
  PlaygroundProps,
} from '../../pages/playground/playground-contract.js'
import { keyPrefix, describeKeyProblem } from './api-key.js'

interface KeyCardProps {
  props: PlaygroundProps
  apiKey: string | undefined
  onKey: (apiKey: string | undefined) => void
}

/** Asks for a test key, or creates one. The key is kept only in the memory of this page. */
export function KeyCard({ props, apiKey, onKey }: KeyCardProps) {
  const [problem, setProblem] = useState<string>()
  const [isCreating, setCreating] = useState(false)

  const accept = (text: string) => {
    const key = text.trim()
    const found = describeKeyProblem(key)
    setProblem(found)
    if (found === undefined) onKey(key)
  }
  const create = async () => {
    setCreating(true)
    const answer = await requestKey(props.formToken)
    setCreating(false)
    setProblem('problem' in answer ? answer.problem : undefined)
    if ('apiKey' in answer) onKey(answer.apiKey)
  }

  if (apiKey !== undefined) {
    return (
      <section class="card key-card" aria-label="Test key">
        <div class="key-kept">
          <span class="badge accent">test key</span>
          <code>{keyPrefix(apiKey)}…</code>
          <span class="muted">in this page’s memory only; a reload forgets it</span>
          <button type="button" class="copy-button" onClick={() => onKey(undefined)}>
            Use another key
          </button>
        </div>
      </section>
    )
  }
  return (
    <section class="card key-card" aria-labelledby="key-title">
      <h2 id="key-title">First, a test key</h2>
      <p class="muted">
        Calls go to <code>/v1</code> with this key, as yours will. It is kept only in this page’s
        memory, so a reload forgets it.
      </p>
      <div class="key-sources">
        {props.mayCreateKey && (
          <button type="button" class="primary" disabled={isCreating} onClick={() => void create()}>
            Create a key for {props.keyLifetimeHours} hours
          </button>
        )}
        <form
          class="key-form"
          onSubmit={(event) => {
            event.preventDefault()
            accept(new FormData(event.currentTarget).get('key') as string)
          }}
        >
          <label for="playground-key">{props.mayCreateKey ? 'or paste one' : 'Paste one'}</label>
          <input
            id="playground-key"
            name="key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            placeholder="sk_test_…"
            aria-describedby="key-problem"
            aria-invalid={problem !== undefined}
          />
          <button type="submit">Use it</button>
        </form>
      </div>
      <p id="key-problem" class="problem" role="alert">
        {problem}
      </p>
    </section>
  )
}

async function requestKey(formToken: string): Promise<PlaygroundKeyAnswer> {
  const response = await fetch('/portal/playground/key', {
    method: 'POST',
    body: new URLSearchParams({ form_token: formToken }),
  }).catch(() => undefined)
  const isAnswer = response?.headers.get('content-type')?.startsWith('application/json')
  if (response && isAnswer) return (await response.json()) as PlaygroundKeyAnswer
  return { problem: 'No key was created. Reload the page, and sign in again if asked.' }
}
