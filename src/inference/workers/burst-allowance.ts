export interface BurstAllowance {
  /** Whether the burst has a place left. */
  isLeft: () => boolean
  take: () => void
  /** Sets whether a slot is free from now on. */
  setFree: (isFree: boolean) => void
}

/**
 * Counts places that bursts use up and free slots refill. Under sustained load slots are rarely free, so the places stay used up.
 * @param options.refillMs - time with a free slot after which all places are back
 */
export function createBurstAllowance(options: {
  places: number
  refillMs: number
}): BurstAllowance {
  const { places, refillMs } = options
  let left = places
  let freeSince: number | undefined = performance.now()

  function refill(): void {
    if (freeSince === undefined) return
    const now = performance.now()
    left = Math.min(places, left + ((now - freeSince) / refillMs) * places)
    freeSince = now
  }

  return {
    isLeft: () => {
      refill()
      return left >= 1
    },
    take: () => {
      left -= 1
    },
    setFree: (isFree) => {
      refill()
      if (!isFree) freeSince = undefined
      else freeSince ??= performance.now()
    },
  }
}
