import type { Arm, CandidateTraits } from '../../../openers/opener-policy.js'
import { listPossibleStyles, TONES, type Style, type Tone } from '../../../openers/styles.js'
import { armOf } from '../../../learning/assign-arm.js'
import { CONTROL_PERCENT } from '../../../learning/learning-settings.js'
import { writeCandidates } from './candidates.js'
import { EvidenceCounter } from './count-evidence.js'
import { createPeople, drawReply, type Person } from './people.js'
import type { Choice, SimulatedPolicy } from './policies.js'
import type { Population } from './population.js'
import { reportHonestly, type Reporter } from './reporters.js'

/** Sends of a day, uniform. */
const SENDS = { min: 250, max: 500 }
const TONE_SHARES = [0.55, 0.2, 0.15, 0.1]
/** Of calls for one to five openers. */
const COUNT_SHARES = [0.05, 0.1, 0.7, 0.1, 0.05]
const HAS_PHOTO_ELEMENTS = 0.85
const HAS_COMMON_GROUND = 0.6
/** Share of calls of which an opener is sent. */
const SENT = 0.7
/** How likely the opener at each place is sent, relative to the first. */
const PLACE_WEIGHTS = [1, 0.7, 0.5, 0.4, 0.35]

export interface EnvironmentRun {
  policy: SimulatedPolicy
  populationAt: (sent: number) => Population
  /** Number of openers to send. */
  total: number
  random: () => number
  reporter?: Reporter
  /** Receives every opener sent. */
  onSent(opener: SentOpener): void
}

/** An opener that was sent, with what the policy did for it. */
export interface SentOpener {
  /** Number of openers sent before. */
  position: number
  day: number
  arm: Arm
  person: Person
  tone: Tone
  choice: Choice
  /** Openers of the call. */
  shown: number
  /** Place among them. */
  place: number
  style: Style
  /** Probability of a reply, over all people. */
  rate: number
  replied: boolean
}

/** Simulates the calls of one environment, day by day, until enough openers were sent. */
export function runEnvironment(run: EnvironmentRun): void {
  const { policy, populationAt, total, random, reporter = reportHonestly } = run
  const evidence = new EvidenceCounter()
  const nextPerson = createPeople(random)
  let position = 0
  for (let day = 0; position < total; day++) {
    policy.learn(evidence.rows, day)
    const end = position + SENDS.min + Math.floor(random() * (SENDS.max - SENDS.min))
    while (position < end) {
      const call = answerCall(run, nextPerson())
      if (random() >= SENT) continue
      const place = drawFrom(PLACE_WEIGHTS.slice(0, call.openers.length), random)
      const opener = call.openers[place]!
      const population = populationAt(position)
      const replied = drawReply(population.logitOf(call.tone, opener), call.person, random)
      const { style } = opener
      const { openers, ...rest } = call
      run.onSent({
        ...rest,
        position,
        day,
        shown: openers.length,
        place,
        style,
        rate: population.rateOf(call.tone, opener),
        replied,
      })
      for (const report of reporter({ day, ...call, place, replied }, random)) evidence.add(report)
      position++
    }
  }
}

export interface AnsweredCall {
  tone: Tone
  arm: Arm
  person: Person
  choice: Choice
  /** In different styles, in the order shown. */
  openers: readonly CandidateTraits[]
}

function answerCall({ policy, random }: EnvironmentRun, person: Person): AnsweredCall {
  const tone = TONES[drawFrom(TONE_SHARES, random)]!
  const styles = listPossibleStyles(tone, {
    hasPhotoElements: random() < HAS_PHOTO_ELEMENTS,
    hasCommonGround: random() < HAS_COMMON_GROUND,
  })
  const count = 1 + drawFrom(COUNT_SHARES, random)
  const arm = armOf(person.bucket, CONTROL_PERCENT.default)
  const choice = arm === 'control' ? { styles } : policy.choose(tone, styles, random)
  const openers = choice.styles
    .slice(0, count)
    .map((style) => release(writeCandidates(style, random), choice.preference))
  return { tone, arm, person, choice, openers }
}

function release(
  candidates: readonly CandidateTraits[],
  preference: Choice['preference'] = ({ score }) => score ?? 0,
): CandidateTraits {
  const values = candidates.map(preference)
  return candidates[values.indexOf(Math.max(...values))]!
}

/** An index with the probability of its weight. */
function drawFrom(weights: readonly number[], random: () => number): number {
  let point = random() * weights.reduce((sum, weight) => sum + weight, 0)
  const index = weights.findIndex((weight) => (point -= weight) < 0)
  return index < 0 ? weights.length - 1 : index
}
