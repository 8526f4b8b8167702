import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { callAt, drawArrivals, prepareBodies } from '../../scripts/bench/open-loop.js'
import { watchCores } from '../../scripts/bench/service-processes.js'
import { showTail, spread, summarizeTail } from '../../scripts/bench/statistics.js'

describe('the load of a benchmark', () => {
  it('comes at random times, as often as asked', () => {
    const times = drawArrivals({ perSecond: 100, seconds: 50 })
    expect(times[0]).toBe(0)
    expect(times.at(-1)).toBeLessThan(50_000)
    // A Poisson count of 5,000 has a deviation of 71.
    expect(Math.abs(times.length - 5_000)).toBeLessThan(5 * 71)
  })

  it('waits for no answer, and counts latency from when a call was due', async () => {
    let running = 0
    let most = 0
    const outcomes = await callAt([0, 10, 20], async () => {
      most = Math.max(most, ++running)
      await sleep(200)
      return { order: running-- }
    })
    expect(most).toBe(3)
    expect(outcomes.map(({ dueMs }) => dueMs)).toEqual([0, 10, 20])
    for (const { latencyMs } of outcomes) expect(latencyMs).toBeGreaterThan(190)
  })

  it('has its bodies before it starts', () => {
    let made = 0
    const nextBody = prepareBodies(() => ({ number: ++made }), 2)
    expect(made).toBe(2)
    expect([nextBody(), nextBody(), nextBody()].map(String)).toEqual([
      '{"number":1}',
      '{"number":2}',
      '{"number":3}',
    ])
  })
})

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip

describeOnLinux('the cores in use', () => {
  it('are told of the generator and of each process of the service', () => {
    const usedCores = watchCores(process.pid)
    const endsAt = performance.now() + 500
    while (performance.now() < endsAt);
    const { generator, server, vision } = usedCores()
    expect(generator).toBeGreaterThan(0.1)
    // The kernel counts in hundredths of a second.
    expect(Math.abs(server! - generator!)).toBeLessThan(0.1)
    expect(vision).toBeNaN()
  })
})

describe('the figures of a benchmark', () => {
  it('name the longest of fewer than a hundred values, which is no p99', () => {
    const values = Array.from({ length: 99 }, (_, i) => i + 1)
    expect(showTail(summarizeTail(values))).toBe('99 (longest)')
    expect(summarizeTail([...values, 100])).toEqual({ p99Ms: 99, longestMs: 100 })
    expect(showTail(summarizeTail([]))).toBeUndefined()
  })

  it('have the true median of an even number of rounds', () => {
    expect(spread([4, 1, 3, 10])).toEqual({ median: 3.5, min: 1, max: 10 })
  })
})
