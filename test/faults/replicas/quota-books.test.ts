import { describe, expect, it } from '@jest/globals'
import { Expectations } from '../../../src/tools/faults/expectations.js'
import {
  expectExactBooks,
  type Books,
} from '../../../src/tools/faults/replicas/scenarios/quota-books.js'

const EXACT: Books = {
  answered: 10,
  unsettled: 0,
  changedReplays: 0,
  used: 10,
  leases: 0,
  stored: 10,
  answers: 10,
  deadlocks: 0,
}

const deviationsOf = (books: Partial<Books>) => {
  const check = new Expectations()
  expectExactBooks(check, { ...EXACT, ...books }, 10)
  return check.deviations
}

describe('the books after kills', () => {
  it('are accepted when everybody counts the same', () => {
    expect(deviationsOf({})).toEqual([])
  })

  it.each<[string, Partial<Books>]>([
    ['one call above the cap', { answered: 11, used: 11, stored: 11, answers: 11 }],
    ['a cap that was never reached', { answered: 9, used: 9, stored: 9, answers: 9 }],
    ['a charge without an answer', { used: 11 }],
    ['an answer without its record', { stored: 9 }],
    ['an answer that no retry would get', { answers: 9 }],
    ['a permit that nobody returned', { leases: 1 }],
    ['a key without an outcome', { unsettled: 1 }],
    ['a deadlock', { deadlocks: 1 }],
  ])('are refused for %s', (_what, books) => {
    expect(deviationsOf(books)).toHaveLength(1)
  })
})
