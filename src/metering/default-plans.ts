import type { Capability } from '../organizations/capability.js'
import type { PlansFile } from './plans-file.js'

type EnvironmentLimits = PlansFile['plans'][string]['test']
type Limits = EnvironmentLimits[Capability]

/** Plans of a new installation, from smallest to largest. */
export const DEFAULT_PLANS: PlansFile = {
  plans: {
    free: {
      test: perCapability(capped(1_000, 60)),
      live: {
        'profile.infer_preferences': capped(1_000, 30),
        'match.evaluate': capped(5_000, 60),
        'conversation.openers': capped(500, 20),
        events: capped(10_000, 60),
      },
    },
    growth: {
      test: perCapability(capped(20_000, 300)),
      live: {
        'profile.infer_preferences': open(50_000, 300, 2),
        'match.evaluate': open(500_000, 1_200, 2),
        'conversation.openers': open(50_000, 120, 2),
        events: open(1_000_000, 600, 2),
      },
    },
    scale: {
      test: perCapability(capped(200_000, 1_200)),
      live: {
        'profile.infer_preferences': open(1_000_000, 3_000, 4),
        'match.evaluate': open(10_000_000, 12_000, 4),
        'conversation.openers': open(1_000_000, 1_200, 4),
        events: open(20_000_000, 6_000, 4),
      },
    },
  },
}

/** Warns at 80 % of the included calls and refuses calls beyond them. */
function capped(included: number, requestsPerMinute: number): Limits {
  return {
    included,
    soft_cap: included * 0.8,
    hard_cap: included,
    requests_per_minute: requestsPerMinute,
  }
}

/**
 * Warns beyond the included calls, but never refuses any.
 * @param weight - share of a busy server; development keys and the smallest plan have 1
 */
function open(included: number, requestsPerMinute: number, weight: number): Limits {
  return { included, soft_cap: included, requests_per_minute: requestsPerMinute, weight }
}

function perCapability(limits: Limits): EnvironmentLimits {
  return {
    'profile.infer_preferences': limits,
    'match.evaluate': limits,
    'conversation.openers': limits,
    events: limits,
  }
}
