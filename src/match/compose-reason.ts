import type { Category } from './categories.js'
import type { RelatedEntries, Signal } from './signals/signal.js'

/** Parts of its evidence that a sentence names. */
export const NAMED = 2

/** A sentence that states the evidence of a signal plainly. */
export function composeReason({ category, evidence, related }: Signal): string {
  const named = evidence.slice(0, NAMED).join(' and ')
  if (named === '') return related ? composeRelated(category, related) : UNNAMED[category]
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

/** For what lies near each other without being the same. */
function composeRelated(category: Category, [first, second]: RelatedEntries): string {
  switch (category) {
    case 'shared_hobbies':
      return `Your interests lie close to each other: ${first} and ${second}.`
    case 'lifestyle_fit':
      return `Your ways of living go together: ${first} and ${second}.`
    case 'aesthetic_alignment':
      return `Your photos go well together: ${first} and ${second}.`
    case 'similar_goals':
    case 'complementary_traits':
      return UNNAMED[category]
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
