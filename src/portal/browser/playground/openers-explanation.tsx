import type { OpenersResponse } from '../../../../client/src/index.js'
import { SeenPhotos } from './seen-photos.js'
import { humanize } from './humanize.js'

interface OpenersExplanationProps {
  explain: NonNullable<OpenersResponse['explain']>
  /** Photos of the recipient, as sent. */
  photos: readonly string[]
}

/** The facts that the openers use, and every candidate with the check that it passed or failed. */
export function OpenersExplanation({ explain, photos }: OpenersExplanationProps) {
  const { candidates, facts, policy } = explain
  return (
    <details>
      <summary>How they were written: {candidates.length} candidates</summary>
      <div class="result">
        <ul class="candidates">
          {candidates.map((candidate, index) => (
            <li key={index}>
              <span class={outcomeClass(candidate)}>
                {candidate.released ? 'released' : humanize(candidate.outcome)}
              </span>{' '}
              {candidate.text}{' '}
              <span class="muted">
                {humanize(candidate.style)}, {Math.round(candidate.duration_ms)} ms
              </span>
            </li>
          ))}
        </ul>
        <dl class="facts">
          <dt>Common ground</dt>
          <dd>{facts.common_ground.join(', ') || 'none'}</dd>
          <dt>Recipient’s likes</dt>
          <dd>{facts.likes.join(', ') || 'none'}</dd>
          <dt>Order of styles</dt>
          <dd>
            {policy.styles.map(humanize).join(', ')} ({describePolicy(policy)})
          </dd>
        </dl>
        <h3>Tags on the photos</h3>
        <SeenPhotos photos={photos} seen={explain.photos} />
      </div>
    </details>
  )
}

function describePolicy({ arm, uses_evidence }: OpenersExplanationProps['explain']['policy']) {
  if (!arm) return 'learning is off'
  if (arm === 'control') return 'control group'
  return uses_evidence ? 'learnt from replies' : 'in random order, until there is evidence'
}

function outcomeClass({ released, outcome }: { released: boolean; outcome: string }): string {
  if (released) return 'badge positive'
  return outcome === 'passed' ? 'badge accent' : 'badge danger'
}
