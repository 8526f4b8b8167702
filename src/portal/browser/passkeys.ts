import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { PasskeyAnswer } from '../pages/account/passkey-answer.js'

/** Adds a passkey, or signs in with one: asks the server for a challenge, lets the device sign it, and sends the answer. */

type Action = 'add' | 'sign-in'
type Options = Parameters<typeof startRegistration>[0]['optionsJSON'] &
  Parameters<typeof startAuthentication>[0]['optionsJSON']

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  form.querySelector('button')?.removeAttribute('hidden')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run(form, form.dataset.passkey as Action)
  })
}

async function run(form: HTMLFormElement, action: Action): Promise<void> {
  const problem = form.querySelector<HTMLElement>('[data-passkey-problem]')
  try {
    if (problem) problem.textContent = ''
    const fields = new URLSearchParams()
    for (const { name, value } of form.querySelectorAll('input')) fields.set(name, value)
    const begun = await send(`${form.action}/options`, fields)
    if (!('options' in begun)) return report(problem, begun)
    const optionsJSON = begun.options as Options
    const response =
      action === 'add'
        ? await startRegistration({ optionsJSON })
        : await startAuthentication({ optionsJSON })
    fields.set('response', JSON.stringify(response))
    const finished = await send(form.action, fields)
    if (!('location' in finished)) return report(problem, finished)
    location.href = finished.location
  } catch {
    report(problem, { problem: 'Your device did not confirm. Try again, or use your password.' })
  }
}

async function send(path: string, fields: URLSearchParams): Promise<PasskeyAnswer> {
  const response = await fetch(path, { method: 'POST', body: fields })
  if (!response.ok) return { problem: 'The server refused. Reload the page and try again.' }
  return (await response.json()) as PasskeyAnswer
}

function report(element: HTMLElement | null, answer: PasskeyAnswer): void {
  if (element && 'problem' in answer) element.textContent = answer.problem
}
