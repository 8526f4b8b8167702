import { describe, expect, it } from '@jest/globals'
import { countInBusiestWindow } from '../../../src/tools/faults/replicas/partners/admitted-calls.js'

const at = (...seconds: number[]) =>
  seconds.map((second) => ({ sentMs: second * 1_000, answeredMs: second * 1_000 + 5 }))

describe('calls in the busiest window', () => {
  it('are counted wherever the window begins', () => {
    expect(countInBusiestWindow(at(0, 50, 55, 58, 61, 109), 60_000)).toBe(5)
  })

  it('are none without calls', () => {
    expect(countInBusiestWindow([], 60_000)).toBe(0)
  })

  it('do not include calls that may have been admitted outside of it', () => {
    const late = { sentMs: 59_000, answeredMs: 60_500 }
    expect(countInBusiestWindow([...at(0, 10), late], 60_000)).toBe(2)
  })

  it('do not include one that came a window later', () => {
    expect(countInBusiestWindow(at(0, 60), 60_000)).toBe(1)
  })
})
