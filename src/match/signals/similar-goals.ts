import { GOALS } from '../goals.js'
import type { Person, Term } from '../person.js'
import type { TopicStrengths } from '../topics.js'
import type { Signal } from './signal.js'

/** Both bios have to be outspoken about an aim before it is told to them. */
const CLEAR = 0.5

/** Aims that both bios speak of. */
export function similarGoals(a: Person, b: Person, strengths: TopicStrengths): Signal {
  const shared = GOALS.map((goal) => ({
    goal,
    strength: Math.min(
      strongest(a, goal.captions, strengths),
      strongest(b, goal.captions, strengths),
    ),
  })).sort((left, right) => right.strength - left.strength)
  const best = shared[0]
  return {
    category: 'similar_goals',
    strength: best?.strength ?? 0,
    evidence: shared
      .filter(({ strength }) => strength >= CLEAR)
      .map(({ goal }) => goal.label)
      .slice(0, 1),
  }
}

function strongest(person: Person, captions: readonly string[], strengths: TopicStrengths): number {
  const about: readonly Term[] = [...person.sentences, ...person.lifestyle]
  return strengths(about, captions)
}
