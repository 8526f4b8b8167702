export interface BurstAllowance {
  /** Whether the tenant's burst has a place left. */
  isLeft: (tenantId: string) => boolean
  take: (tenantId: string) => void
  /** Sets whether a slot is free from now on. */
  setFree: (isFree: boolean) => void
}

/**
 * Counts places that the bursts of each tenant use up and free slots refill. Under sustained load slots are rarely free, so the
 * places stay used up.
 * @param options.places - for each tenant
 * @param options.refillMs - time with a free slot after which all places are back
 */
export function createBurstAllowance(options: {
  places: number
  refillMs: number
}): BurstAllowance {
  const { places, refillMs } = options
  /** Places a tenant has used; a tenant that is missing has used none. */
  const used = new Map<string, number>()
  let freeSince: number | undefined = performance.now()

  function refill(): void {
    if (freeSince === undefined) return
    const now = performance.now()
    const refilled = ((now - freeSince) / refillMs) * places
    freeSince = now
    for (const [id, count] of used) {
      if (count <= refilled) used.delete(id)
      else used.set(id, count - refilled)
    }
  }

  return {
    isLeft: (id) => {
      refill()
      return places - (used.get(id) ?? 0) >= 1
    },
    take: (id) => {
      used.set(id, (used.get(id) ?? 0) + 1)
    },
    setFree: (isFree) => {
      refill()
      if (!isFree) freeSince = undefined
      else freeSince ??= performance.now()
    },
  }
}
