import type { MatchRequest, MatchResponse } from '../../../../client/src/index.js'
import { MatchExplanation } from './match-explanation.js'
import { humanize } from './humanize.js'

/** The API calls matches from this confidence on high-quality. */
const HIGH_QUALITY = 0.7

export function MatchResult({ match, request }: { match: MatchResponse; request: MatchRequest }) {
  const { confidence, explain } = match
  const isHigh = confidence >= HIGH_QUALITY
  return (
    <div class="result">
      <p class="match-score">
        <strong>{confidence.toFixed(2)}</strong>
        <span class={isHigh ? 'badge positive' : 'badge'}>
          {isHigh ? 'high-quality match' : 'below a high-quality match'}
        </span>
      </p>
      <meter
        class="match-meter"
        min={0}
        max={1}
        low={HIGH_QUALITY}
        optimum={1}
        value={confidence}
        aria-label="Confidence, from 0 to 1"
      />
      <blockquote class="reason">{match.reason}</blockquote>
      <p class="muted">
        Reason category: {humanize(match.reason_category)} <code>{match.reason_category}</code>
      </p>
      {explain && <MatchExplanation explain={explain} request={request} />}
    </div>
  )
}
