export interface BurstAllowance {
  /** Whether one more may join beyond what may always wait. */
  isLeft: () => boolean
  take: () => void
  /** Tells whether a slot is free from now on. */
  setFree: (isFree: boolean) => void
}

/**
 * Places that bursts use up and times with a free slot give back. Under lasting load slots are free for moments only, as
 * when a batch ends, so that what was used stays used.
 * @param options.refillMs - with a slot free for so long all places are back
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
