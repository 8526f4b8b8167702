import { copyText } from './clipboard/copy-text.js'

/** Activates and shows the buttons with `data-copy`. */

const DONE_MS = 2_000

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const label = button.querySelector('span')
  const text = label?.textContent ?? ''
  button.hidden = false
  label?.setAttribute('aria-live', 'polite')
  button.addEventListener('click', () => {
    void copyText(button.dataset.copy ?? '').then((isCopied) => {
      if (!label) return
      label.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
      setTimeout(() => (label.textContent = text), DONE_MS)
    })
  })
}
