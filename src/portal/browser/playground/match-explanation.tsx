import type { MatchRequest, MatchResponse } from '../../../../client/src/index.js'
import { SeenPhotos } from './seen-photos.js'
import { words } from './words.js'

type Explanation = NonNullable<MatchResponse['explain']>
type Signal = Explanation['signals'][number]

interface MatchExplanationProps {
  explain: Explanation
  request: MatchRequest
}

/** What each signal found, what the confidence rests on, and what the photos showed. */
export function MatchExplanation({ explain, request }: MatchExplanationProps) {
  return (
    <details>
      <summary>How it came about</summary>
      <div class="result">
        <table>
          <caption>
            What may be told, what describes both best first (logits of the match model)
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
                <th scope="row">{words(signal.category)}</th>
                <td>{evidenceOf(signal)}</td>
                <td class="numeric">{signed(signal.rank_score)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <table>
          <caption>What the confidence loses without a part of both profiles, as log odds</caption>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col" class="numeric">
                Carries
              </th>
            </tr>
          </thead>
          <tbody>
            {explain.confidence.parts.map(({ part, contribution }) => (
              <tr key={part}>
                <th scope="row">{part}</th>
                <td class="numeric">{signed(contribution)}</td>
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

function evidenceOf({ evidence, related, opposed }: Signal): string {
  if (evidence.length > 0) return evidence.join(', ')
  return related?.join(' and ') ?? opposed?.join(' against ') ?? '–'
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
}
