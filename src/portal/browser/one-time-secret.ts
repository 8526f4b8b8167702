/**
 * The page that shows a new secret: a reload goes to the key instead of sending the form again, and the secret is
 * gone from what the browser keeps for its back button.
 */

const secret = document.querySelector<HTMLElement>('[data-one-time-secret]')
if (secret) {
  history.replaceState(null, '', secret.dataset.oneTimeSecret)
  addEventListener('pagehide', () => secret.remove())
}
