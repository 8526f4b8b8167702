import type { Category } from './categories.js'
import type { ConfidenceBand } from './confidence-band.js'
import type { Signal } from './signals/signal.js'

/** Parts of its evidence that a sentence names. */
export const NAMED = 2

/** A sentence that states the evidence of a signal plainly. */
export function composeReason(signal: Signal, band: ConfidenceBand): string {
  const { category, evidence } = signal
  const named = evidence.slice(0, NAMED).join(' and ')
  if (named === '') return composeTogether(signal, band) ?? UNNAMED[category]
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

/** Whether a sentence of it has something to name. */
export function canBeNamed(signal: Signal, band: ConfidenceBand): boolean {
  return signal.evidence.length > 0 || entriesOfEach(signal, band) !== undefined
}

/** What is named where nothing is shared. That it goes together is for the match model to say. */
function entriesOfEach({ related, opposed }: Signal, band: ConfidenceBand) {
  return band === 'low' ? (opposed ?? related) : related
}

function composeTogether(signal: Signal, band: ConfidenceBand): string | undefined {
  const named = entriesOfEach(signal, band)?.join(' and ')
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
    case 'similar_goals':
    case 'complementary_traits':
      return undefined
  }
}

/** For signals that rest on closeness as a whole, with no single thing to name. */
const UNNAMED: Record<Category, string> = {
  shared_hobbies: 'Your interests lie close to each other.',
  lifestyle_fit: 'The way you each describe your days is a good fit.',
  similar_goals: 'What you each hope for points the same way.',
  complementary_traits:
    'You come from different corners of life, so each of you has something new to show the other.',
  aesthetic_alignment: 'Your photos have a similar look and feel.',
}
