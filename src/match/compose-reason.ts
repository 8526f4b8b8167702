import type { Category } from './categories.js'
import type { ConfidenceBand } from './confidence-band.js'
import type { Signal } from './signals/signal.js'

/** Pieces of evidence that one sentence names. */
export const MAX_NAMED = 2

/** One sentence from a template that names the evidence of a signal. */
export function composeReason(signal: Signal, band: ConfidenceBand): string {
  const { category, evidence } = signal
  const named = evidence.slice(0, MAX_NAMED).join(' and ')
  if (named === '') return composeFromPair(signal, band) ?? WITHOUT_EVIDENCE[category]
  switch (category) {
    case 'shared_hobbies':
      return `You both enjoy ${named}.`
    case 'lifestyle_fit':
      return `You describe your lives in the same words: ${named}.`
    case 'similar_goals':
      return `You both ${named}.`
    case 'complementary_traits':
      return `${named[0]!.toUpperCase()}${named.slice(1)}, so each of you has something to show the other.`
    case 'aesthetic_alignment':
      return `Your photos share an eye for the same things: ${named}.`
  }
}

/** Whether a reason for the signal has something to name. */
export function canNameEvidence(signal: Signal, band: ConfidenceBand): boolean {
  return signal.evidence.length > 0 || choosePair(signal, band) !== undefined
}

/** An entry of each person, for signals with nothing shared. The match model's band decides between related and opposed. */
export function choosePair({ related, opposed }: Signal, band: ConfidenceBand) {
  return band === 'low' ? (opposed ?? related) : related
}

function composeFromPair(signal: Signal, band: ConfidenceBand): string | undefined {
  const named = choosePair(signal, band)?.join(' and ')
  if (named === undefined) return undefined
  const isApart = band === 'low'
  switch (signal.category) {
    case 'shared_hobbies':
      return `Your interests lie ${isApart ? 'far apart' : 'close to each other'}: ${named}.`
    case 'lifestyle_fit':
      return `Your ways of living ${isApart ? 'pull different ways' : 'go together'}: ${named}.`
    case 'aesthetic_alignment':
      return isApart
        ? `Your photos show two different tastes: ${named}.`
        : `Your photos go well together: ${named}.`
    case 'complementary_traits': {
      const [one, other] = choosePair(signal, band)!
      return `One of you is into ${one} and the other into ${other}, so each of you has something to show the other.`
    }
    case 'similar_goals':
      return undefined
  }
}

/** For signals that have nothing to name. */
const WITHOUT_EVIDENCE: Record<Category, string> = {
  shared_hobbies: 'Your interests lie close to each other.',
  lifestyle_fit: 'The way you each describe your days is a good fit.',
  similar_goals: 'What you each hope for points the same way.',
  complementary_traits:
    'You come from different corners of life, so each of you has something new to show the other.',
  aesthetic_alignment: 'Your photos have a similar look and feel.',
}
