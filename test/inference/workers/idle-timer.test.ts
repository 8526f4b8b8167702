import { jest } from '@jest/globals'
import { createIdleTimer } from '../../../src/inference/workers/idle-timer.js'

describe('createIdleTimer', () => {
  let isBusy: boolean
  let idleCount: number

  function open(idleMs: number) {
    return createIdleTimer({ idleMs, isBusy: () => isBusy, onIdle: () => (idleCount += 1) })
  }

  beforeEach(() => {
    jest.useFakeTimers()
    isBusy = false
    idleCount = 0
  })
  afterEach(() => jest.useRealTimers())

  it('fires once after the last touch', () => {
    const timer = open(1_000)
    timer.touch()
    jest.advanceTimersByTime(900)
    timer.touch()
    jest.advanceTimersByTime(999)
    expect(idleCount).toBe(0)
    jest.advanceTimersByTime(10_000)
    expect(idleCount).toBe(1)
  })

  it('does not fire while busy', () => {
    const timer = open(1_000)
    isBusy = true
    timer.touch()
    jest.advanceTimersByTime(10_000)
    expect(idleCount).toBe(0)
    isBusy = false
    jest.advanceTimersByTime(1_000)
    expect(idleCount).toBe(1)
  })

  it('fires again after another touch', () => {
    const timer = open(1_000)
    timer.touch()
    jest.advanceTimersByTime(1_000)
    timer.touch()
    jest.advanceTimersByTime(1_000)
    expect(idleCount).toBe(2)
  })

  it.each([
    ['is off', 0, false],
    ['is stopped', 1_000, true],
  ])('never fires when it %s', (_case, idleMs, isStopped) => {
    const timer = open(idleMs)
    timer.touch()
    if (isStopped) timer.stop()
    jest.advanceTimersByTime(10_000)
    expect(idleCount).toBe(0)
  })
})
