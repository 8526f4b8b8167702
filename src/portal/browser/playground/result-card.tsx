import type { InferPreferencesResponse } from '../../../../client/src/index.js'
import { useEffect, useRef } from 'preact/hooks'
import { AnswerDetails } from './answer-details.js'
import { FailureNotice } from './failure-notice.js'
import { MatchResult } from './match-result.js'
import { OpenersExplanation } from './openers-explanation.js'
import { OpenersResult } from './openers-result.js'
import { PreferencesResult } from './preferences-result.js'
import type { Run } from './run.js'

interface ResultCardProps {
  run: Run | undefined
  errorMeanings: Record<string, string>
  onUsePreferences: (userId: string, preferences: InferPreferencesResponse['preferences']) => void
}

export function ResultCard({ run, errorMeanings, onUsePreferences }: ResultCardProps) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (run) scrollToAnswer(card.current)
  }, [run?.call])
  return (
    <section ref={card} class="card result-card" aria-labelledby="result-title">
      <h2 id="result-title">Answer</h2>
      {!run && <p class="muted">Send a call. Its answer appears here as it arrives.</p>}
      {run?.call.capability === 'conversation.openers' && (
        <>
          <OpenersResult run={run} count={run.call.body.count ?? 3} />
          {run.openersExplanation && (
            <OpenersExplanation
              explain={run.openersExplanation}
              photos={run.call.body.recipient.photos}
            />
          )}
        </>
      )}
      {run?.state === 'running' && run.call.capability !== 'conversation.openers' && (
        <p class="muted">Waiting for the answer …</p>
      )}
      {run?.match && run.call.capability === 'match.evaluate' && (
        <MatchResult match={run.match} request={run.call.body} />
      )}
      {run?.preferences && run.call.capability === 'profile.infer_preferences' && (
        <PreferencesResult
          answer={run.preferences}
          photos={run.call.body.user.photos}
          onUse={onUsePreferences.bind(undefined, run.call.body.user.id)}
        />
      )}
      {run?.state === 'cancelled' && (
        <p class="notice">
          Cancelled. The service stopped working on it, and a cancelled call is not charged.
        </p>
      )}
      {run?.failure && <FailureNotice failure={run.failure} errorMeanings={errorMeanings} />}
      {run && <AnswerDetails run={run} />}
    </section>
  )
}

/** A card that starts below this share of the window height counts as out of sight. */
const LOWEST_VISIBLE_START = 0.6

function scrollToAnswer(card: HTMLElement | null) {
  if (!card || card.getBoundingClientRect().top < innerHeight * LOWEST_VISIBLE_START) return
  const reducesMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
  card.scrollIntoView({ block: 'start', behavior: reducesMotion ? 'auto' : 'smooth' })
}
