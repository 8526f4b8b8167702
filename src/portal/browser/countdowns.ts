import { formatTimeLeft } from '../format-time-left.js'

/** Makes the countdowns of a page tick, and reloads the page when one ends, because its content changes then. */

const MARGIN_MS = 1_000

/** From the time left by the server's clock, since the clock of this computer may be wrong. */
const countdowns = [...document.querySelectorAll<HTMLElement>('[data-left-ms]')].map((element) => ({
  element,
  endsAt: Date.now() + Number(element.dataset.leftMs),
}))

if (countdowns.length > 0) {
  const timer = setInterval(() => {
    for (const { element, endsAt } of countdowns) {
      const leftMs = endsAt - Date.now()
      element.textContent = formatTimeLeft(leftMs)
      if (leftMs > -MARGIN_MS) continue
      clearInterval(timer)
      location.reload()
    }
  }, 1_000)
}
