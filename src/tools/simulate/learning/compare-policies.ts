import { seededRandom } from '../../../core/seeded-random.js'
import { createPolicy, type PolicyName } from './policies.js'
import { drawPopulation } from './population.js'
import { runEnvironment } from './run-environment.js'
import type { Scenario } from './scenarios.js'

/** Openers of one point of a curve. */
export const STEP = 500

/** Expected replies of the openers sent, by steps of `STEP` openers. */
export interface Curve {
  expected: Float64Array
  sent: Float64Array
}

export interface RunCurves {
  /** Without the control group. */
  learnedArm: Curve
  everybody: Curve
}

/** Curves by policy, one for each seed. */
export type Comparison = ReadonlyMap<PolicyName, readonly RunCurves[]>

/** Runs the policies of a scenario in the same populations, one for each seed from 1. */
export function comparePolicies(scenario: Scenario, seeds: number): Comparison {
  return new Map(
    scenario.policies.map((name) => [
      name,
      Array.from({ length: seeds }, (_, i) => runPolicy(scenario, name, i + 1)),
    ]),
  )
}

function runPolicy(scenario: Scenario, name: PolicyName, seed: number): RunCurves {
  const { total, population: settings, changesAt = Infinity, change } = scenario
  const random = seededRandom(1_000 * seed)
  const before = drawPopulation(settings, random)
  const after = change?.(before, settings, random) ?? before
  let current = before
  const curves = { learnedArm: createCurve(total), everybody: createCurve(total) }
  runEnvironment({
    policy: createPolicy(name, () => current),
    populationAt: (position) => (current = position < changesAt ? before : after),
    total,
    random: seededRandom(7_919 * seed),
    ...(scenario.reporterOf && { reporter: scenario.reporterOf(before) }),
    onSent({ position, arm, rate }) {
      addTo(curves.everybody, position, rate)
      if (arm === 'learned') addTo(curves.learnedArm, position, rate)
    },
  })
  return curves
}

function createCurve(total: number): Curve {
  const steps = Math.ceil(total / STEP)
  return { expected: new Float64Array(steps), sent: new Float64Array(steps) }
}

function addTo({ expected, sent }: Curve, position: number, rate: number): void {
  const step = Math.floor(position / STEP)
  // The last day ends a little after the last opener of the scenario.
  if (step >= sent.length) return
  expected[step]! += rate
  sent[step]!++
}

/** Expected reply rate of the openers from one number to another. */
export function rateBetween({ expected, sent }: Curve, from: number, to: number): number {
  let [replies, openers] = [0, 0]
  for (let step = from / STEP; step < Math.min(to / STEP, sent.length); step++) {
    replies += expected[step]!
    openers += sent[step]!
  }
  return replies / openers
}
