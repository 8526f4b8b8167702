import { useEffect, useState } from 'preact/hooks'
import { copyText } from '../clipboard/copy-text.js'

const FEEDBACK_MS = 2_000

/** @param what - names the text for screen readers */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<'Copied' | 'Not allowed'>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), FEEDBACK_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => setOutcome((await copyText(text)) ? 'Copied' : 'Not allowed')
  return (
    <button type="button" class="copy-button" onClick={() => void copy()}>
      <span aria-live="polite">{outcome ?? 'Copy'}</span>
      <span class="visually-hidden"> {what}</span>
    </button>
  )
}
