import type { Category } from './categories.js'

/** A sentence that states the evidence of a category plainly. */
export function composeReason(category: Category, evidence: readonly string[]): string {
  const named = evidence.join(' and ')
  if (named === '') return UNNAMED[category]
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

/** For signals that rest on closeness as a whole, with no single thing to name. */
const UNNAMED: Record<Category, string> = {
  shared_hobbies: 'Your interests lie close to each other.',
  lifestyle_fit: 'The way you each describe your days is a good fit.',
  similar_goals: 'What you each hope for points the same way.',
  complementary_traits:
    'You come from different corners of life, so each of you has something new to show the other.',
  aesthetic_alignment: 'Your photos have a similar look and feel.',
}
