import { describe, expect, it } from '@jest/globals'
import { composeReason } from '../../src/match/compose-reason.js'
import type { Signal } from '../../src/match/signals/signal.js'

const signal = (parts: Partial<Signal>): Signal => ({
  category: 'lifestyle_fit',
  strength: 0.5,
  evidence: [],
  ...parts,
})

describe('a reason from a template', () => {
  it.each(['high', 'medium', 'low'] as const)('names shared evidence in every band: %s', (band) => {
    const shared = signal({ category: 'shared_hobbies', evidence: ['chess', 'opera', 'tea'] })
    expect(composeReason(shared, band)).toBe('You both enjoy chess and opera.')
  })

  it('names a related entry of each person if nothing is shared', () => {
    const near = signal({ related: ['outdoorsy', 'rural'] })
    expect(composeReason(near, 'high')).toBe(
      'Your ways of living go together: outdoorsy and rural.',
    )
  })

  it('calls related entries different if the confidence is low', () => {
    const far = { related: ['active', 'quiet'] as const }
    const reasons = (['shared_hobbies', 'lifestyle_fit', 'aesthetic_alignment'] as const).map(
      (category) => composeReason(signal({ ...far, category }), 'low'),
    )
    expect(reasons).toEqual([
      'Your interests lie far apart: active and quiet.',
      'Your ways of living pull different ways: active and quiet.',
      'Your photos show two different tastes: active and quiet.',
    ])
  })

  it('contrasts an interest of each person', () => {
    const apart = signal({ category: 'complementary_traits', related: ['chess', 'opera'] })
    expect(composeReason(apart, 'high')).toBe(
      'One of you is into chess and the other into opera, so each of you has something to show the other.',
    )
  })

  it('names opposed entries only if the confidence is low', () => {
    const opposed = signal({ related: ['active', 'social'], opposed: ['sober', 'social drinker'] })
    expect(composeReason(opposed, 'low')).toContain('sober and social drinker')
    expect(composeReason(opposed, 'medium')).toContain('active and social')
  })
})
