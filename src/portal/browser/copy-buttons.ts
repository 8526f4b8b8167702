/** Makes the buttons with `data-copy` work, and shows them. */

const DONE_MS = 2_000

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const label = button.querySelector('span')
  const text = label?.textContent ?? ''
  button.hidden = false
  label?.setAttribute('aria-live', 'polite')
  button.addEventListener('click', () => {
    void copy(button.dataset.copy ?? '').then((isCopied) => {
      if (!label) return
      label.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
      setTimeout(() => (label.textContent = text), DONE_MS)
    })
  })
}

/** Over plain HTTP there is no clipboard to write to; the old way copies a selection. */
async function copy(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
