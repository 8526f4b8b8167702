import { reportFalsely, type Reporter } from './reporters.js'
import type { PolicyName } from './policies.js'
import { POLICY_NAMES } from './policies.js'
import {
  DEFAULT_POPULATION,
  drawPopulation,
  reverseEffects,
  type Population,
  type PopulationSettings,
} from './population.js'
import { STYLE_NAMES, TONES, type Style } from '../../../openers/styles.js'

/** A partner's people, how they change, and who reports. */
export interface Scenario {
  title: string
  policies: readonly PolicyName[]
  total: number
  population: PopulationSettings
  /** Number of openers after which the population changes. */
  changesAt?: number
  change?: (before: Population, settings: PopulationSettings, random: () => number) => Population
  reporterOf?: (population: Population) => Reporter
}

const WITHOUT_BASELINES: readonly PolicyName[] = ['uniform', 'learned', 'oracle']
/** Enough for what is learnt after 50,000 openers. */
const LONG = 55_000
const SHORT = 20_000
const CHANGES_AT = 20_000
const WITH_CHANGE = CHANGES_AT + 25_000

export const SCENARIOS = {
  standard: {
    title: 'Standard population',
    policies: POLICY_NAMES,
    total: LONG,
    population: DEFAULT_POPULATION,
  },
  'half-effects': {
    title: 'Half the effects',
    policies: WITHOUT_BASELINES,
    total: LONG,
    population: { ...DEFAULT_POPULATION, effectSize: 0.5 },
  },
  'low-rate': {
    title: 'Reply rate of 8 %',
    policies: WITHOUT_BASELINES,
    total: LONG,
    population: { ...DEFAULT_POPULATION, baseRate: 0.08 },
  },
  'no-differences': {
    title: 'No differences',
    policies: WITHOUT_BASELINES,
    total: SHORT,
    population: { ...DEFAULT_POPULATION, effectSize: 0 },
  },
  'drift-anew': {
    title: 'All effects drawn anew after 20,000 openers',
    policies: WITHOUT_BASELINES,
    total: WITH_CHANGE,
    population: DEFAULT_POPULATION,
    changesAt: CHANGES_AT,
    change: (_before, settings, random) => drawPopulation(settings, random),
  },
  'drift-reversed': {
    title: 'Best becomes worst after 20,000 openers',
    policies: WITHOUT_BASELINES,
    total: WITH_CHANGE,
    population: DEFAULT_POPULATION,
    changesAt: CHANGES_AT,
    change: (before, _settings, random) => reverseEffects(before, random),
  },
  'hostile-users': {
    title: 'One report in fifty invents a reply to the worst style',
    policies: WITHOUT_BASELINES,
    total: SHORT,
    population: DEFAULT_POPULATION,
    reporterOf: (population) => reportFalsely(findWorstStyle(population), 0.02),
  },
} satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof SCENARIOS

/** On average over the tones. */
export function findWorstStyle(population: Population): Style {
  const value = (style: Style) =>
    TONES.reduce((sum, tone) => sum + population.valueOf(tone, style), 0)
  return STYLE_NAMES.toSorted((left, right) => value(left) - value(right))[0]!
}
