import { useState } from 'preact/hooks'
import type { Call } from './call.js'
import { codeSamples } from './code-samples.js'
import { CopyButton } from './copy-button.js'

/** The call in the form, as code. */
export function CodeCard({ call }: { call: Call }) {
  const [language, setLanguage] = useState<'curl' | 'TypeScript'>('curl')
  const samples = codeSamples(call, location.origin)
  const sample = samples.find((one) => one.language === language)
  if (!sample) return null
  return (
    <section class="card code-card" aria-label="The same call in code">
      <header class="card-head">
        <fieldset class="segments">
          <legend class="visually-hidden">Language</legend>
          {samples.map((one) => (
            <label key={one.language}>
              <input
                type="radio"
                name="language"
                checked={one.language === language}
                onChange={() => setLanguage(one.language)}
              />
              <span>{one.language}</span>
            </label>
          ))}
        </fieldset>
        <CopyButton text={sample.code} what={`the call as ${language}`} />
      </header>
      <pre class="code" tabIndex={0} aria-label={`The call as ${language}`}>
        {sample.shown}
      </pre>
      <p class="muted">
        Set the variable <code>PROFILE_API_KEY</code> to your key. Photos are shortened here; the
        copy contains them in full ({Math.ceil(sample.code.length / 1000).toLocaleString('en')} kB).
      </p>
    </section>
  )
}
