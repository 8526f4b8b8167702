import { LRUCache } from 'lru-cache'
import type { Config } from '../config/config.js'
import type { InferenceCall } from '../inference/call.js'
import type { PhotoAnalysis, PhotoOutcome, VisionModel } from '../inference/encoder/vision.js'
import type { LoadedPhoto } from './load-photos.js'
import { createSharedWork } from './shared-work.js'

export interface AnalysisCacheStats {
  /** Photos answered from memory, since the start. */
  hits: number
  /** Photos that had to be computed or waited for, since the start. */
  misses: number
  /** Analyses kept now. */
  entries: number
}

export interface AnalysisCache {
  /**
   * One outcome for each photo, in order; what is not kept is computed by one call of the model, or by one
   * that is under way for another caller. Outcomes are shared: nobody writes to an embedding.
   * @throws ServiceError of the model; the reason of `call.signal` once it aborts
   */
  analyze(
    vision: VisionModel,
    photos: readonly LoadedPhoto[],
    call: InferenceCall,
  ): Promise<PhotoOutcome[]>
  stats(): AnalysisCacheStats
}

/**
 * Photo analyses in memory, least recently used out first, under the hash of the photo's bytes and the
 * revision of the models. Nothing leads from an entry to a URL or a person.
 */
export function createAnalysisCache(
  settings: Pick<Config['photos'], 'cacheEntries' | 'cacheTtlMs'>,
): AnalysisCache {
  const kept = new LRUCache<string, PhotoAnalysis>({
    max: settings.cacheEntries,
    ttl: settings.cacheTtlMs,
    // What is too old is deleted, not merely hidden.
    ttlAutopurge: true,
  })
  const work = createSharedWork<Uint8Array, PhotoOutcome>()
  const counts = { hits: 0, misses: 0 }

  async function compute(
    vision: VisionModel,
    photos: ReadonlyMap<string, Uint8Array>,
    call: InferenceCall,
  ): Promise<Map<string, PhotoOutcome>> {
    const revision = vision.revision()
    const outcomes = await vision.analyzePhotos([...photos.values()], call)
    const isCurrent = revision === vision.revision()
    const byKey = new Map([...photos.keys()].map((key, i) => [key, detached(outcomes[i]!)]))
    for (const [key, outcome] of byKey) {
      if (isCurrent && outcome.ok) kept.set(key, outcome.analysis)
    }
    return byKey
  }

  return {
    async analyze(vision, photos, call) {
      const revision = vision.revision()
      const keys = photos.map(({ contentHash }) => `${contentHash} ${revision}`)
      const bytesByKey = new Map(photos.map(({ bytes }, i) => [keys[i]!, bytes]))
      const outcomes = new Map<string, PhotoOutcome>()
      for (const key of bytesByKey.keys()) {
        const analysis = kept.get(key)
        if (analysis) outcomes.set(key, { ok: true, analysis })
      }
      counts.hits += outcomes.size
      counts.misses += bytesByKey.size - outcomes.size
      const missing = new Map([...bytesByKey].filter(([key]) => !outcomes.has(key)))
      const computed = await work.run(
        missing,
        // Others may join who have more time; the signal ends it when the last of them has none.
        (inputs, signal) => compute(vision, inputs, { ...call, signal, deadline: Infinity }),
        call.signal,
      )
      return keys.map((key) => outcomes.get(key) ?? computed.get(key)!)
    },
    stats: () => ({ hits: counts.hits, misses: counts.misses, entries: kept.size }),
  }
}

/** Embeddings arrive as views of the whole message they came in, which a kept one would hold in memory. */
function detached(outcome: PhotoOutcome): PhotoOutcome {
  if (!outcome.ok) return outcome
  const { embedding, nsfw } = outcome.analysis
  return { ok: true, analysis: { embedding: embedding.slice(), nsfw } }
}
