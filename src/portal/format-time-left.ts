/** Such as `23 h 59 min 07 s`. Runs on the server for the page and in the browser for each tick. */
export function formatTimeLeft(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1_000))
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / 60) % 60
  const parts = [`${minutes} min`, `${String(seconds % 60).padStart(2, '0')} s`]
  if (hours > 0) parts.unshift(`${hours} h`)
  return parts.join(' ')
}
