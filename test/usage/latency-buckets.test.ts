import {
  bucketLatency,
  latencyBucket,
  latencyQuantile,
  LATENCY_ERROR,
} from '../../src/usage/latency-buckets.js'

describe('latency buckets', () => {
  it('represent every latency from a millisecond to two hours within the stated error', () => {
    for (let latency = 1.01; latency < 7_200_000; latency *= 1.003) {
      const estimate = bucketLatency(latencyBucket(latency))
      expect(Math.abs(estimate - latency) / latency).toBeLessThanOrEqual(LATENCY_ERROR + 1e-9)
    }
  })

  it('clamp latencies below a millisecond and above the last bucket', () => {
    expect(latencyBucket(0)).toBe(0)
    expect(latencyBucket(1)).toBe(0)
    expect(latencyBucket(1e12)).toBe(latencyBucket(1e9))
    expect(bucketLatency(latencyBucket(1e12))).toBeGreaterThan(2 * 3_600_000)
  })
})

describe('latencyQuantile', () => {
  it('returns the nearest rank of the counted latencies', () => {
    const counts = new Map<number, number>()
    const latencies = Array.from({ length: 1_000 }, (_, index) => 10 + index)
    for (const latency of latencies) {
      const bucket = latencyBucket(latency)
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
    }
    for (const quantile of [0.01, 0.5, 0.95, 0.99, 1]) {
      const exact = latencies[Math.ceil(quantile * latencies.length) - 1]!
      const estimate = latencyQuantile(counts, quantile)!
      expect(Math.abs(estimate - exact) / exact).toBeLessThanOrEqual(LATENCY_ERROR + 1e-9)
    }
  })

  it('is undefined without counts', () => {
    expect(latencyQuantile(new Map(), 0.5)).toBeUndefined()
  })
})
