/** Openers of one group of people. */
export interface ClusterCounts {
  sent: number
  replied: number
}

export interface ClusterRatio extends ClusterCounts {
  clusters: number
  /** `replied / sent` */
  rate: number
  /** Of the rate. NaN for fewer than two clusters. */
  variance: number
}

/**
 * A ratio of sums over groups of people, with its variance by the delta method. People send several openers, so groups are
 * independent and openers are not.
 * Source: Deng, Knoblich and Lu, "Applying the delta method in metric analytics", KDD 2018, section 3
 */
export function divideSums(counts: readonly ClusterCounts[]): ClusterRatio {
  const clusters = counts.length
  const sent = counts.reduce((sum, cluster) => sum + cluster.sent, 0)
  const replied = counts.reduce((sum, cluster) => sum + cluster.replied, 0)
  const rate = replied / sent
  const squares = counts.reduce(
    (sum, cluster) => sum + (cluster.replied - rate * cluster.sent) ** 2,
    0,
  )
  return {
    sent,
    replied,
    clusters,
    rate,
    variance: ((clusters / (clusters - 1)) * squares) / sent ** 2,
  }
}
