import { describe, expect, it } from '@jest/globals'
import {
  createKeyedCalls,
  createUuid,
} from '../../../src/tools/faults/replicas/partners/keyed-call.js'
import { seededRandom } from '../../../src/core/seeded-random.js'

describe('calls with idempotency keys', () => {
  it('are the same for the same seed', () => {
    expect(createKeyedCalls(5, seededRandom(7))).toEqual(createKeyedCalls(5, seededRandom(7)))
  })

  it('have keys of their own', () => {
    const keys = createKeyedCalls(1_000, seededRandom(7)).map((call) => call.idempotencyKey)
    expect(new Set(keys).size).toBe(1_000)
  })

  it('have UUIDs of version 4 as keys', () => {
    expect(createUuid(seededRandom(1))).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })
})
