import { describe, expect, it } from '@jest/globals'
import { Exposure, MAX_PER_DAY } from '../../../src/openers/exemplars/exposure.js'
import { factsOf } from '../_facts.js'

const DAY_MS = 24 * 60 * 60 * 1_000
const LINE = { id: 7, beginning: 'who walks whom you' }

const recipient = (bio: string) => factsOf({ bio })

describe('exposure of an exemplar', () => {
  it('ends for a recipient after one release, and not for others', () => {
    const exposure = new Exposure(() => 0)
    exposure.of('org live', recipient('a baker')).count(LINE)
    expect(exposure.of('org live', recipient('a baker')).isUsedUp(LINE)).toBe(true)
    expect(exposure.of('org live', recipient('a nurse')).isUsedUp(LINE)).toBe(false)
    expect(exposure.of('other live', recipient('a baker')).isUsedUp(LINE)).toBe(false)
  })

  it('is bounded for the users of an organisation until the next day', () => {
    let now = 0
    const exposure = new Exposure(() => now)
    for (let i = 0; i < MAX_PER_DAY; i++) {
      const release = exposure.of('org live', recipient(`person ${i}`))
      expect(release.isUsedUp(LINE)).toBe(false)
      release.count(LINE)
    }
    expect(exposure.of('org live', recipient('one more')).isUsedUp(LINE)).toBe(true)
    now += DAY_MS
    expect(exposure.of('org live', recipient('one more')).isUsedUp(LINE)).toBe(false)
  })

  it('remembers how the openers of the day begin', () => {
    let now = 0
    const exposure = new Exposure(() => now)
    exposure.of('org live', recipient('a baker')).count(LINE)
    const other = { ...LINE, id: 8 }
    expect(exposure.of('org live', recipient('a cook')).beginsAlike(other)).toBe(true)
    expect(exposure.of('other live', recipient('a cook')).beginsAlike(other)).toBe(false)
    now += DAY_MS
    expect(exposure.of('org live', recipient('a cook')).beginsAlike(other)).toBe(false)
  })
})
