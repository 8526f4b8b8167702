import { exposeCollector } from '../workers/expose-collector.js'

/** At 590 kB for a vocabulary of 49 thousand tokens, 38 MB; a collection takes some 20 ms. */
const SAMPLERS_KEPT = 64

/**
 * Counts samplers, and collects garbage before those that are done with are too many. Each one of node-llama-cpp holds a
 * table of the whole vocabulary until it is collected, whether it was disposed or not. The collector takes it for a few
 * bytes and lets five hundred pile up.
 * @param collect - collects all garbage at once
 */
export function createSamplerCollector(collect = exposeCollector()): () => void {
  let samplers = 0
  return () => {
    samplers += 1
    if (samplers < SAMPLERS_KEPT) return
    samplers = 0
    collect()
  }
}
