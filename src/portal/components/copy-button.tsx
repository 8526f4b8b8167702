import { Icon } from './icon.js'

/**
 * Copies `text`. The page must load `copy-buttons.ts`; without script the button is not shown, so the text itself must
 * be on the page too.
 */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  return (
    <button type="button" class="copy-button" data-copy={text} hidden>
      <Icon name="copy" />
      <span>{label}</span>
    </button>
  )
}
