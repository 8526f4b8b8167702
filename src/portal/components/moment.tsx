const FORMAT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** A moment in UTC, such as `21 Nov 2026, 22:42 UTC`. */
export function Moment({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} class="moment">
      {formatMoment(at)}
    </time>
  )
}

export function formatMoment(at: number): string {
  return `${FORMAT.format(at)} UTC`
}
