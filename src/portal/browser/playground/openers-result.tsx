import { CopyButton } from './copy-button.js'
import { RevealedText } from './revealed-text.js'
import type { Run } from './run.js'
import { humanize } from './humanize.js'

/** Openers as they arrive, with placeholders for the rest. */
export function OpenersResult({ run, count }: { run: Run; count: number }) {
  const pending = run.state === 'running' ? Math.max(0, count - run.openers.length) : 0
  if (run.openers.length + pending === 0) return null
  return (
    <ol class="openers">
      {run.openers.map((opener, index) => (
        <li key={index}>
          <p class="opener-text">
            <RevealedText text={opener.text} />
          </p>
          <div class="opener-facts">
            <span class="badge accent">{humanize(opener.style)}</span>
            <span class="hint">
              {[...opener.text].length} characters, after {opener.milliseconds.toLocaleString('en')}{' '}
              ms
            </span>
            {opener.isComplete && <CopyButton text={opener.text} what={`opener ${index + 1}`} />}
          </div>
        </li>
      ))}
      {Array.from({ length: pending }, (_value, index) => (
        <li key={run.openers.length + index} class="opener-to-come" aria-hidden="true">
          {index === 0 && 'Writing and checking …'}
        </li>
      ))}
    </ol>
  )
}
