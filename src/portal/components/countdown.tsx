import { formatTimeLeft } from '../format-time-left.js'
import { formatMoment } from './moment.js'

/**
 * Time left until `endsAt`, with the exact end in words. The page must load `countdowns.ts`, which lets it tick;
 * without script it stands as it was when the page was made.
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
