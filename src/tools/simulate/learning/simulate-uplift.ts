import type { BucketRow } from '../../../learning/evidence.js'
import { logit } from '../../../learning/logistic.js'
import { measureUplift, measureUpliftOnce, type Uplift } from '../../../learning/uplift.js'
import { seededRandom } from '../../../core/seeded-random.js'
import { armOf } from '../../../learning/assign-arm.js'
import { CONTROL_PERCENT } from '../../../learning/learning-settings.js'
import { averageOverPeople, createPeople, drawReply } from './people.js'

/** A partner whose learned arm becomes better day by day. */
export interface UpliftScenario {
  name: string
  /** Final effect in logits. */
  effect: number
}

export const UPLIFT_SCENARIOS: readonly UpliftScenario[] = [
  { name: 'no difference', effect: 0 },
  { name: 'about 4 points better', effect: 0.25 },
]

export interface UpliftCoverage {
  scenario: string
  runs: number
  /** Share of runs in which the ordinary interval covers the truth on each preset day. */
  onceCovered: Record<number, number>
  /** Share of runs in which the interval, read every day, misses the truth on any day. */
  sequentialWrong: number
  onceWrong: number
}

const DAYS = 120
const SENT_PER_DAY = 375
const PRESET_DAYS = [30, 60, 120]
const BASE_LOGIT = logit(0.2)
/** Days until two thirds of the effect are reached. */
const RAMP_DAYS = 15

/** How often the intervals of the uplift contain the simulated truth, for people who send several openers. */
export function simulateUplift(scenario: UpliftScenario, runs: number): UpliftCoverage {
  const covered = new Map(PRESET_DAYS.map((day) => [day, 0]))
  let [sequentialWrong, onceWrong] = [0, 0]
  for (let run = 0; run < runs; run++) {
    const wrong = { sequential: false, once: false }
    for (const reading of simulateArms(scenario, seededRandom(1 + run))) {
      const isOnceRight = isCovered(measureUpliftOnce(reading.rows), reading.truth)
      wrong.sequential ||= !isCovered(measureUplift(reading.rows), reading.truth)
      wrong.once ||= !isOnceRight
      const count = covered.get(reading.day)
      if (count !== undefined) covered.set(reading.day, count + Number(isOnceRight))
    }
    sequentialWrong += Number(wrong.sequential)
    onceWrong += Number(wrong.once)
  }
  return {
    scenario: scenario.name,
    runs,
    onceCovered: Object.fromEntries([...covered].map(([day, count]) => [day, count / runs])),
    sequentialWrong: sequentialWrong / runs,
    onceWrong: onceWrong / runs,
  }
}

function isCovered({ difference }: Uplift, truth: number): boolean {
  return !difference || (difference.low <= truth && truth <= difference.high)
}

interface Reading {
  day: number
  /** All counts so far. */
  rows: readonly BucketRow[]
  /** Expected reply rate of the openers sent in the learned arm minus that of control. */
  truth: number
}

function* simulateArms({ effect }: UpliftScenario, random: () => number): Generator<Reading> {
  const nextPerson = createPeople(random)
  const byBucket = new Map<number, BucketRow>()
  const learned = { sent: 0, expected: 0 }
  for (let day = 1; day <= DAYS; day++) {
    const learnedLogit = BASE_LOGIT + effect * (1 - Math.exp(-day / RAMP_DAYS))
    for (let i = 0; i < SENT_PER_DAY; i++) {
      const person = nextPerson()
      const { bucket } = person
      const arm = armOf(bucket, CONTROL_PERCENT.default)
      const row = byBucket.get(bucket) ?? { day: 0, arm, bucket, sent: 0, replied: 0 }
      byBucket.set(bucket, row)
      const isReply = drawReply(arm === 'learned' ? learnedLogit : BASE_LOGIT, person, random)
      row.sent++
      row.replied += Number(isReply)
      if (arm === 'control') continue
      learned.sent++
      learned.expected += averageOverPeople(learnedLogit)
    }
    const truth = learned.expected / learned.sent - averageOverPeople(BASE_LOGIT)
    yield { day, rows: [...byBucket.values()], truth }
  }
}
