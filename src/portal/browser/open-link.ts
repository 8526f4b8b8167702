/**
 * Sends the secret of a link, which is in the fragment of the address so that no proxy logs it, and removes it from the
 * address bar and the history.
 */

const form = document.querySelector<HTMLFormElement>('[data-open-link]')
const field = form?.querySelector('input')
const secret = location.hash.slice(1)
if (form && field && secret !== '') {
  history.replaceState(null, '', location.pathname)
  field.value = secret
  form.submit()
}
