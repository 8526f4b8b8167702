import { formatTimeLeft } from '../format-time-left.js'
import { formatMoment } from './moment.js'

/**
 * Time left until `endsAt`, with the exact end. The page must load `countdowns.ts`, which makes it tick; without script it
 * shows the time left when the page was rendered.
 */
export function Countdown({ endsAt, now }: { endsAt: number; now: number }) {
  return (
    <>
      <span class="countdown" role="timer" data-left-ms={endsAt - now}>
        {formatTimeLeft(endsAt - now)}
      </span>{' '}
      <span class="countdown-end">until {formatMoment(endsAt)}</span>
    </>
  )
}
