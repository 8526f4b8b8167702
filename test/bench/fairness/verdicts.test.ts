import { describe, expect, it } from '@jest/globals'
import {
  judge,
  ratiosOf,
  summarizePhases,
  type Phase,
} from '../../../src/tools/bench/fairness/compare-phases.js'
import { summarizeAttack } from '../../../src/tools/bench/fairness/attack-result.js'
import { findAttack } from '../../../src/tools/bench/fairness/all-attacks.js'
import type { ClientCall } from '../../../src/tools/bench/fairness/paced-clients.js'

const call = (values: Partial<ClientCall> = {}): ClientCall => ({
  kind: 'match',
  status: 200,
  latencyMs: 50,
  endedMs: 1_000,
  ...values,
})

const phase = (calls: readonly ClientCall[], values: Partial<Phase['health']> = {}): Phase => ({
  seconds: 10,
  calls,
  health: { probes: 200, failed: 0, p99Ms: 5, maxMs: 10, ...values },
})

const times = (count: number, values: Partial<ClientCall> = {}) =>
  Array.from({ length: count }, () => call(values))

describe('a phase of the victim', () => {
  it('counts as throughput what was answered with 200 before its end', () => {
    const calls = [...times(20), call({ endedMs: 10_500 }), call({ status: 503 })]
    const { servedPerSecond, notServed } = summarizePhases([phase(calls)])
    expect(servedPerSecond).toBe(2)
    expect(notServed).toEqual({ '503': 1 })
  })

  it('counts the wait of calls without an answer, and not that of refusals', () => {
    const unanswered = call({ status: 0, latencyMs: 20_000 })
    expect(summarizePhases([phase([...times(10), unanswered])]).p99Ms).toBe(20_000)
    const refused = call({ status: 503, latencyMs: 20_000 })
    expect(summarizePhases([phase([...times(10), refused])]).p99Ms).toBe(50)
  })

  it('shows each kind of call, because only the slowest kind decides the p99', () => {
    const openers = [
      call({ kind: 'opener', latencyMs: 700 }),
      call({ kind: 'opener', status: 503, latencyMs: 5 }),
    ]
    const { byKind } = summarizePhases([phase([...times(20), ...openers])])
    expect(byKind).toEqual({
      match: { calls: 20, served: 20, p50Ms: 50, longestMs: 50 },
      opener: { calls: 2, served: 1, p50Ms: 700, longestMs: 700 },
    })
  })

  it('keeps the longest probe of several phases', () => {
    const phases = [phase(times(1), { maxMs: 80 }), phase(times(1), { maxMs: 12, failed: 1 })]
    expect(summarizePhases(phases)).toMatchObject({ healthMaxMs: 80, failedProbes: 1 })
  })
})

describe('a verdict', () => {
  const healthy = summarizePhases([phase(times(10))])
  const ratios = { throughput: 1, p50: 1, p99: 1 }

  it.each([
    ['held', { throughput: 0.8, p99: 2 }, { healthMaxMs: 100 }],
    ['within noise', { throughput: 0.76 }, {}],
    ['within noise', { p99: 2.4 }, {}],
    ['within noise', {}, { healthMaxMs: 140 }],
    ['missed', { throughput: 0.74 }, {}],
    ['missed', { p99: 2.6 }, {}],
    ['missed', {}, { healthMaxMs: 151 }],
    ['missed', {}, { failedProbes: 1 }],
    ['missed', { p99: Number.NaN }, {}],
  ])('is "%s" for ratios %j and health %j', (verdict, changedRatios, changedHealth) => {
    expect(judge({ ...ratios, ...changedRatios }, { ...healthy, ...changedHealth })).toBe(verdict)
  })

  it('is "missed" when nothing was served', () => {
    const attacked = summarizePhases([phase(times(5, { status: 503 }))])
    expect(judge(ratiosOf(attacked, healthy), attacked)).toBe('missed')
  })
})

describe('the result of an attack', () => {
  const round = (attackedCalls: number, recoverySeconds: number | undefined) => ({
    before: phase(times(40)),
    attacked: phase(times(attackedCalls, { latencyMs: 100 })),
    after: phase(times(60)),
    attacker: { outcomes: { '200': 3 }, cores: 0.1 },
    recoverySeconds,
  })

  it('compares with the quiet phases on both sides of it, over all rounds', () => {
    const result = summarizeAttack(findAttack('openers'), [round(45, 1), round(55, 2)])
    expect(result).toMatchObject({
      attack: 'openers',
      outcomes: { '200': 6 },
      ratios: { throughput: 1, p50: 2, p99: 2 },
      quietRatios: { throughput: 1.5, p50: 1, p99: 1 },
      longestRecoverySeconds: 2,
      verdict: 'held',
    })
  })

  it('has no time of recovery for a service that had to be started anew', () => {
    const result = summarizeAttack(findAttack('openers'), [round(50, 1), round(50, undefined)])
    expect(result.longestRecoverySeconds).toBeUndefined()
  })
})
