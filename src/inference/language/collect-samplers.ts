import { exposeCollector } from '../workers/expose-garbage-collector.js'

/** At 590 kB for a vocabulary of 49 thousand tokens, 38 MB; a collection takes some 20 ms. */
const SAMPLERS_KEPT = 64

/**
 * Returns a function to call for each new sampler, which collects garbage before too many used ones accumulate. A sampler of
 * node-llama-cpp holds a table of the whole vocabulary until it is collected, even when disposed. V8 counts it as a few bytes and
 * lets five hundred accumulate.
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
