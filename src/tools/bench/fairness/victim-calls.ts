import {
  createMatchBody,
  createOpenersBody,
  createPreferencesBody,
  newPhoto,
  readExamplePairs,
  type ExamplePair,
} from '../example-calls.js'
import type { Capability } from '../../../organizations/capability.js'
import { createEventBatch } from './event-batch.js'

export type VictimCallKind = 'match' | 'new photos' | 'preferences' | 'opener' | 'events'

export interface VictimCall {
  kind: VictimCallKind
  route: string
  body: Buffer
}

/** What a small app asks for, in order: mostly matches, now and then an opener. */
export const MIX: readonly VictimCallKind[] = [
  ...(['match', 'events', 'match', 'new photos', 'match'] as const),
  ...(['events', 'match', 'preferences', 'match', 'new photos'] as const),
  ...(['match', 'events', 'match', 'opener', 'match'] as const),
  ...(['events', 'match', 'new photos', 'match', 'events'] as const),
]

const EVENTS_IN_A_BATCH = 10

interface CallPattern {
  capability: Capability
  route: string
  /** @param requestId - of an answered call, which events are about */
  createBody: (pair: ExamplePair, requestId: string) => unknown
}

const PATTERNS: Record<VictimCallKind, CallPattern> = {
  match: {
    capability: 'match.evaluate',
    route: '/v1/match/evaluate',
    createBody: (pair) => createMatchBody(pair, { withPreferences: true }),
  },
  'new photos': {
    capability: 'match.evaluate',
    route: '/v1/match/evaluate',
    createBody: (pair) => createMatchBody(pair, { withPreferences: true, photo: newPhoto }),
  },
  preferences: {
    capability: 'profile.infer_preferences',
    route: '/v1/profile/infer-preferences',
    createBody: (pair) => createPreferencesBody(pair),
  },
  opener: {
    capability: 'conversation.openers',
    route: '/v1/conversation/openers',
    createBody: (pair) => createOpenersBody(pair, { count: 1 }),
  },
  events: {
    capability: 'events',
    route: '/v1/events',
    createBody: (_pair, requestId) => createEventBatch(requestId, EVENTS_IN_A_BATCH),
  },
}

/**
 * Creates the calls of the victim one after the other. No two persons are paired twice, so every match and every opener is
 * computed, and phases that are compared do the same work.
 * @param requestId - of an answered call, which the events are about
 * @param firstPair - number of the first combination of two persons
 */
export function createVictimCalls(requestId: string, firstPair = 0): () => VictimCall {
  const pairs = readExamplePairs()
  let next = firstPair
  return () => {
    const number = next++
    const kind = MIX[number % MIX.length]!
    const { route, createBody } = PATTERNS[kind]
    const body = createBody(combine(pairs, number), requestId)
    return { kind, route, body: Buffer.from(JSON.stringify(body)) }
  }
}

/** The combination of a sender and a recipient by number; they repeat after all combinations. */
function combine(pairs: readonly ExamplePair[], number: number): ExamplePair {
  const sender = pairs[number % pairs.length]!
  const shift = Math.floor(number / pairs.length)
  const { recipient } = pairs[(number + shift) % pairs.length]!
  return { ...sender, recipient }
}

/** Calls of the mix a second that a plan allows in the long run. */
export function mostCallsPerSecond(requestsPerMinute: Record<Capability, number>): number {
  const capabilities = MIX.map((kind) => PATTERNS[kind].capability)
  const limits = capabilities.map((capability) => {
    const share = capabilities.filter((other) => other === capability).length / MIX.length
    return requestsPerMinute[capability] / 60 / share
  })
  return Math.min(...limits)
}
