import { sigmoid } from '../../../learning/logistic.js'
import { drawNormal } from '../../../learning/normal-draws.js'
import { BUCKETS } from '../../../learning/uplift.js'

/** Standard deviation in logits of what people and single openers add, whatever the service chooses. */
const PERSON_DEVIATION = 0.6
const OPENER_DEVIATION = 0.3
/** People who are active at the same time. */
const ACTIVE_PEOPLE = 400
/** Share of calls after which a person leaves: five calls in the mean. */
const LEAVING = 0.2

export interface Person {
  bucket: number
  /** Logits. */
  effect: number
}

/** People who come, ask for openers a few times, and leave. */
export function createPeople(random: () => number): () => Person {
  const arrive = (): Person => ({
    bucket: Math.floor(random() * BUCKETS),
    effect: PERSON_DEVIATION * drawNormal(random),
  })
  const active = Array.from({ length: ACTIVE_PEOPLE }, arrive)
  return () => {
    const index = Math.floor(random() * ACTIVE_PEOPLE)
    const person = active[index]!
    if (random() < LEAVING) active[index] = arrive()
    return person
  }
}

export function drawReply(logit: number, person: Person, random: () => number): boolean {
  return random() < sigmoid(logit + person.effect + OPENER_DEVIATION * drawNormal(random))
}

const STEPS = 40
const WIDTH = 4
/** Weights of the normal distribution at equal steps within four standard deviations. */
const NODES = Array.from({ length: STEPS + 1 }, (_, i) => {
  const z = WIDTH * ((2 * i) / STEPS - 1)
  return { z, weight: Math.exp(-(z ** 2) / 2) }
})
const TOTAL = NODES.reduce((sum, { weight }) => sum + weight, 0)
const DEVIATION = Math.hypot(PERSON_DEVIATION, OPENER_DEVIATION)
/** Reply rates at logits of -8 to 8. */
const TABLE_STEPS_PER_LOGIT = 100
const TABLE_FROM = -8
const TABLE = Float64Array.from({ length: 16 * TABLE_STEPS_PER_LOGIT + 2 }, (_, i) => {
  const logit = TABLE_FROM + i / TABLE_STEPS_PER_LOGIT
  return (
    NODES.reduce((sum, { z, weight }) => sum + weight * sigmoid(logit + DEVIATION * z), 0) / TOTAL
  )
})

/** Probability of a reply over people and openers with the given log-odds in the middle. */
export function averageOverPeople(logit: number): number {
  const position = (logit - TABLE_FROM) * TABLE_STEPS_PER_LOGIT
  const index = Math.floor(position)
  const [left, right] = [TABLE[index]!, TABLE[index + 1]!]
  return left + (position - index) * (right - left)
}
