import { describe, expect, it } from '@jest/globals'
import { takeEntries } from '../../src/text/take-entries.js'

describe('the entries of a list', () => {
  const take = (entries: string[], limit: number) => {
    const checked: string[] = []
    const taken = takeEntries(entries, {
      limit,
      tidy: (entry) => entry.trim(),
      passes: (entry) => {
        checked.push(entry)
        return !entry.includes('!')
      },
    })
    return { taken, checked }
  }

  it('are taken in order, without duplicates and those that do not pass', () => {
    expect(take([' tea', 'tea', 'golf!', 'chess', ' '], 9).taken).toEqual(['tea', 'chess'])
  })

  it('are not checked beyond the limit', () => {
    const many = Array.from({ length: 100 }, (_, i) => `entry ${i}`)
    const { taken, checked } = take(['tea', 'tea', ...many], 3)
    expect(taken).toEqual(['tea', 'entry 0', 'entry 1'])
    expect(checked).toEqual(taken)
  })
})
