import { CopyButton } from '../../components/copy-button.js'
import type { Snippet } from './code-snippets.js'

interface SnippetTabsProps {
  /** What the snippets do; unique on the page. */
  name: string
  snippets: readonly Snippet[]
}

/** Code in several languages. The style sheet shows the one whose radio button is checked. */
export function SnippetTabs({ name, snippets }: SnippetTabsProps) {
  return (
    <div class="snippet-tabs">
      <fieldset class="segments">
        <legend class="visually-hidden">Language</legend>
        {snippets.map(({ language }, index) => (
          <label key={language}>
            <input type="radio" name={name} value={language} checked={index === 0} />
            <span>{language}</span>
          </label>
        ))}
      </fieldset>
      {snippets.map(({ language, code }) => (
        <div key={language} class="snippet">
          <CopyButton text={code} />
          <pre class="code" tabIndex={0} role="region" aria-label={`${name} in ${language}`}>
            {code}
          </pre>
        </div>
      ))}
    </div>
  )
}
