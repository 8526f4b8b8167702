/**
 * For the page that shows a new secret: a reload opens the key's page instead of sending the form again, and the secret is
 * removed from the page that the browser keeps for its back button.
 */

const secret = document.querySelector<HTMLElement>('[data-one-time-secret]')
if (secret) {
  history.replaceState(null, '', secret.dataset.oneTimeSecret)
  addEventListener('pagehide', () => secret.remove())
}
