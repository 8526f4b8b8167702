import { comparePolicies, rateBetween } from '../../src/tools/simulate/learning/compare-policies.js'
import { SCENARIOS, type Scenario } from '../../src/tools/simulate/learning/scenarios.js'

/** The same numbers in every run: all randomness has a seed. */
describe('the simulation', () => {
  it('shows that the learned policy gets more replies than uniform choice after a few thousand openers', () => {
    const scenario: Scenario = {
      ...SCENARIOS.standard,
      policies: ['uniform', 'learned'],
      total: 8_000,
    }
    const comparison = comparePolicies(scenario, 3)
    const rates = (name: 'uniform' | 'learned', from: number, to: number) =>
      comparison.get(name)!.map(({ learnedArm }) => rateBetween(learnedArm, from, to))
    const uniform = rates('uniform', 5_000, 8_000)
    rates('learned', 5_000, 8_000).forEach((rate, i) =>
      expect(rate).toBeGreaterThan(uniform[i]! + 0.01),
    )
  })
})
