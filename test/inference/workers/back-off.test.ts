import { createBackOff } from '../../../src/inference/workers/back-off.js'

describe('the back-off before a worker restarts', () => {
  const options = { crashMs: 200, loadFailureMs: 1_000, maxMs: 3_000, stableMs: 60_000 }
  const crash = { kind: 'crash', servedMs: 10 } as const
  const loadFailure = { kind: 'load_failure' } as const

  it('is zero after the first crash, then doubles up to the maximum', () => {
    const delayAfter = createBackOff(options)
    const delays = Array.from({ length: 7 }, () => delayAfter(crash))
    expect(delays).toEqual([0, 200, 400, 800, 1_600, 3_000, 3_000])
  })

  it('is never zero after a failed load', () => {
    const delayAfter = createBackOff(options)
    const delays = Array.from({ length: 3 }, () => delayAfter(loadFailure))
    expect(delays).toEqual([1_000, 2_000, 3_000])
  })

  it('grows when failed loads and crashes alternate', () => {
    const delayAfter = createBackOff(options)
    expect([delayAfter(crash), delayAfter(loadFailure), delayAfter(crash)]).toEqual([0, 2_000, 400])
  })

  it('resets after a worker that served for stableMs', () => {
    const delayAfter = createBackOff(options)
    for (let crashes = 0; crashes < 5; crashes += 1) delayAfter(crash)
    expect(delayAfter({ kind: 'crash', servedMs: 60_000 })).toBe(0)
    expect(delayAfter(crash)).toBe(200)
  })
})
