import type { OpenerFacts } from '../opener-facts.js'
import { createTerms } from './bio-terms.js'
import { findEvidence, nameNothing, type Evidence } from './exemplar-conditions.js'
import { prepareGroup, type Exemplar, type PreparedGroup } from './exemplar-group.js'
import { placeLogOdds } from './exemplar-odds.js'
import type { ExemplarGroup } from './exemplar-schema.js'
import { listSubjectKeys, listWantedKeys, nearnessOf, type NearGroup } from './near-groups.js'
import { indexProfile } from './profile-index.js'

/** An exemplar that is true for a profile. */
export interface TrueExemplar {
  exemplar: Exemplar
  /** Expected odds that a reader would send it to this person. */
  odds: number
}

/** Hand-written openers, found by what a profile must have for them to be true. */
export class ExemplarLibrary {
  readonly size: number
  readonly #groups: readonly PreparedGroup[]
  /** Groups by a key that each of their profiles has one of, so that a search reads few of them. */
  readonly #byKey = new Map<string, Set<PreparedGroup>>()
  readonly #forEverybody: readonly TrueExemplar[]
  /** Groups by each thing that they speak of, and by its kind. */
  readonly #bySubject = new Map<string, Set<PreparedGroup>>()

  constructor(groups: readonly ExemplarGroup[]) {
    const termOf = createTerms()
    let size = 0
    this.#groups = groups.map((group, index) => {
      const prepared = prepareGroup(group, { index, firstId: size, termOf })
      size += group.openers.length
      return prepared
    })
    this.size = size
    const conditional = this.#groups.filter((group) => !isForEverybody(group))
    for (const group of conditional) addUnder(this.#byKey, group.keys, group)
    for (const group of this.#groups) addUnder(this.#bySubject, listSubjectKeys(group), group)
    this.#forEverybody = this.#groups.filter(isForEverybody).flatMap((group) => withOdds(group))
  }

  /** The exemplars that are true for a profile, by their place in the library, and then those that hold for everybody. */
  findTrue(facts: OpenerFacts): TrueExemplar[] {
    const profile = indexProfile(facts)
    const near = takeAll(this.#byKey, profile.keys)
    const personal = [...near]
      .flatMap((group) => {
        const evidence = findEvidence(group, profile)
        return evidence ? withOdds(group, evidence) : []
      })
      .sort((left, right) => left.exemplar.id - right.exemplar.id)
    return [...personal, ...this.#forEverybody]
  }

  /** Groups that speak of what a profile has or of something of its kind, the nearest first. */
  findNear(facts: OpenerFacts): NearGroup[] {
    const profile = indexProfile(facts)
    return [...takeAll(this.#bySubject, listWantedKeys(profile))]
      .flatMap((group) => nearnessOf(group, profile) ?? [])
      .sort((left, right) => right.nearness - left.nearness)
  }

  /**
   * A group at random, as near as any other.
   * @param random - returns the next number in [0, 1)
   */
  drawGroup(random: () => number): NearGroup | undefined {
    const group = this.#groups[Math.floor(random() * this.#groups.length)]
    return group && nearnessOf(group)
  }
}

/** @param evidence - why the group is true for the profile; undefined: it holds for everybody */
function withOdds(group: PreparedGroup, evidence?: Evidence): TrueExemplar[] {
  // What names nothing of a profile is as likely for all.
  const added = evidence && !nameNothing(group) ? placeLogOdds(evidence) : 0
  return group.exemplars.map((exemplar) => ({
    exemplar,
    odds: Math.exp(exemplar.logOdds + added),
  }))
}

function isForEverybody(group: PreparedGroup): boolean {
  return nameNothing(group) && !group.isThin
}

function addUnder<T>(index: Map<string, Set<T>>, keys: readonly string[], value: T): void {
  for (const key of keys) {
    const known = index.get(key) ?? new Set()
    index.set(key, known.add(value))
  }
}

function takeAll<T>(index: ReadonlyMap<string, ReadonlySet<T>>, keys: readonly string[]): Set<T> {
  return new Set(keys.flatMap((key) => [...(index.get(key) ?? [])]))
}
