/** What is computed before the first call. */
export interface WarmUp {
  /** Computes in advance what the first call would wait for. */
  warmUp: () => Promise<void>
  /** Whether the first warm-up is running. */
  isWarmingUp: () => boolean
}

/** Runs the steps in order; the service is not ready while they run for the first time. */
export function createWarmUp(steps: readonly (() => unknown)[]): WarmUp {
  let state: 'cold' | 'warming' | 'warm' = 'cold'
  return {
    isWarmingUp: () => state === 'warming',
    warmUp: async () => {
      if (state === 'cold') state = 'warming'
      try {
        for (const step of steps) await step()
        state = 'warm'
      } finally {
        if (state === 'warming') state = 'cold'
      }
    },
  }
}
