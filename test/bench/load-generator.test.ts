import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import {
  callAt,
  drawArrivals,
  prepareBodies,
} from '../../src/tools/bench/load-generator/open-loop.js'
import { watchCores } from '../../src/tools/bench/service/service-processes.js'
import {
  formatTail,
  summarizeSpread,
  summarizeTail,
} from '../../src/tools/bench/report/summaries.js'

describe('an open loop', () => {
  it('draws random arrival times at the requested rate', () => {
    const times = drawArrivals({ perSecond: 100, seconds: 50 })
    expect(times[0]).toBe(0)
    expect(times.at(-1)).toBeLessThan(50_000)
    // The standard deviation of a Poisson count of 5,000 is 71.
    expect(Math.abs(times.length - 5_000)).toBeLessThan(5 * 71)
  })

  it('does not wait for answers, and measures latency from the due time', async () => {
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

  it('serializes the bodies in advance', () => {
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
  it('are measured for the generator and for each process of the service', () => {
    const usedCores = watchCores(process.pid)
    const endsAt = performance.now() + 500
    while (performance.now() < endsAt);
    const { generator, server, vision } = usedCores()
    expect(generator).toBeGreaterThan(0.1)
    // The kernel counts hundredths of a second.
    expect(Math.abs(server! - generator!)).toBeLessThan(0.1)
    expect(vision).toBeNaN()
  })
})

describe('summaries of samples', () => {
  it('report the longest instead of a p99 for fewer than a hundred values', () => {
    const values = Array.from({ length: 99 }, (_, i) => i + 1)
    expect(formatTail(summarizeTail(values))).toBe('99 (longest)')
    expect(summarizeTail([...values, 100])).toEqual({ p99Ms: 99, longestMs: 100 })
    expect(formatTail(summarizeTail([]))).toBeUndefined()
  })

  it('use the mean of the middle two for the median of an even number of rounds', () => {
    expect(summarizeSpread([4, 1, 3, 10])).toEqual({ median: 3.5, min: 1, max: 10 })
  })
})
