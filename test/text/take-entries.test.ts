import { describe, expect, it } from '@jest/globals'
import { takeEntries } from '../../src/text/take-entries.js'

describe('entries of a list', () => {
  const take = (entries: string[], limit: number) => {
    const asked: string[] = []
    const taken = takeEntries(entries, {
      limit,
      tidy: (entry) => entry.trim(),
      passes: (entry) => {
        asked.push(entry)
        return !entry.includes('!')
      },
    })
    return { taken, asked }
  }

  it('are taken in order, each once, without those that do not pass', () => {
    expect(take([' tea', 'tea', 'golf!', 'chess', ' '], 9).taken).toEqual(['tea', 'chess'])
  })

  it('are judged no further than the limit', () => {
    const many = Array.from({ length: 100 }, (_, i) => `entry ${i}`)
    const { taken, asked } = take(['tea', 'tea', ...many], 3)
    expect(taken).toEqual(['tea', 'entry 0', 'entry 1'])
    expect(asked).toEqual(taken)
  })
})
