import { useEffect, useState } from 'preact/hooks'
import { copyText } from '../clipboard/copy-text.js'

const TOLD_MS = 2_000

/** @param what - names the text for those who cannot see where the button stands */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<'Copied' | 'Not allowed'>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), TOLD_MS)
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
