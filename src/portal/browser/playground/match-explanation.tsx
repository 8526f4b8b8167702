import type { MatchRequest, MatchResponse } from '../../../../client/src/index.js'
import { SeenPhotos } from './seen-photos.js'
import { humanize } from './humanize.js'

type Explanation = NonNullable<MatchResponse['explain']>
type Signal = Explanation['signals'][number]

interface MatchExplanationProps {
  explain: Explanation
  request: MatchRequest
}

/** The evidence of each signal, the parts of the confidence, and the tags of the photos. */
export function MatchExplanation({ explain, request }: MatchExplanationProps) {
  return (
    <details>
      <summary>How it was computed</summary>
      <div class="result">
        <table>
          <caption>
            Possible reasons, the one that describes both people best first (logits of the match
            model)
          </caption>
          <thead>
            <tr>
              <th scope="col">Signal</th>
              <th scope="col">Evidence</th>
              <th scope="col" class="numeric">
                Score
              </th>
            </tr>
          </thead>
          <tbody>
            {explain.signals.map((signal) => (
              <tr key={signal.category}>
                <th scope="row">{humanize(signal.category)}</th>
                <td>{describeEvidence(signal)}</td>
                <td class="numeric">{formatSigned(signal.rank_score)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <table>
          <caption>
            How much confidence is lost without a part of both profiles, in log odds
          </caption>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col" class="numeric">
                Loss
              </th>
            </tr>
          </thead>
          <tbody>
            {explain.confidence.parts.map(({ part, contribution }) => (
              <tr key={part}>
                <th scope="row">{part}</th>
                <td class="numeric">{formatSigned(contribution)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <h3>Tags on the photos</h3>
        <SeenPhotos photos={request.user_a.photos} seen={explain.user_a.photos} />
        <SeenPhotos photos={request.user_b.photos} seen={explain.user_b.photos} />
      </div>
    </details>
  )
}

function describeEvidence({ evidence, related, opposed }: Signal): string {
  if (evidence.length > 0) return evidence.join(', ')
  return related?.join(' and ') ?? opposed?.join(' against ') ?? '–'
}

function formatSigned(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
}
