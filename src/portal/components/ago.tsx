import { formatMoment } from './moment.js'

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const MINUTE_MS = 60_000

/** How long ago a moment was, such as `3 minutes ago`, with the exact time on hover. */
export function Ago({ at, now }: { at: number; now: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {formatAgo(now - at)}
    </time>
  )
}

function formatAgo(elapsedMs: number): string {
  const minutes = Math.floor(elapsedMs / MINUTE_MS)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return RELATIVE.format(-minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return RELATIVE.format(-hours, 'hour')
  return RELATIVE.format(-Math.floor(hours / 24), 'day')
}
