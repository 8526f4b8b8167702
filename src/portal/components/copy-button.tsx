import { Icon } from './icon.js'

/**
 * Copies `text`. The page must load `copy-buttons.ts`. Without script the button stays hidden, so the page must also show
 * the text itself.
 */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  return (
    <button type="button" class="copy-button" data-copy={text} hidden>
      <Icon name="copy" />
      <span>{label}</span>
    </button>
  )
}
