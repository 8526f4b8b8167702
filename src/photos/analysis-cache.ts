import { LRUCache } from 'lru-cache'
import type { Config } from '../config/config.js'
import type { InferenceCall } from '../inference/inference-call.js'
import type { PhotoAnalysis, PhotoOutcome, VisionModel } from '../inference/encoder/vision.js'
import type { LoadedPhoto } from './load-photos.js'
import { createSharedWork } from './shared-work.js'

export interface AnalysisCacheStats {
  /** Photos answered from memory since the start. */
  hits: number
  /** Photos computed or waited for since the start. */
  misses: number
  /** Analyses in memory now. */
  entries: number
}

export interface AnalysisCache {
  /**
   * Returns one outcome for each photo, in order. Missing analyses are computed in one model call, or awaited from the call
   * of another caller. Outcomes are shared: never write to an embedding.
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
 * An LRU cache of photo analyses, keyed by the tenant, the hash of the photo's bytes and the revision of the models. An entry holds
 * no URL and nothing about a person. Tenants share none: the time of an answer would tell one whether another knows a photo.
 */
export function createAnalysisCache(
  settings: Pick<Config['photos'], 'cacheEntries' | 'cacheTtlMs'>,
): AnalysisCache {
  const kept = new LRUCache<string, PhotoAnalysis>({
    max: settings.cacheEntries,
    ttl: settings.cacheTtlMs,
    // Expired entries are deleted, not merely hidden.
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
      const keys = photos.map(({ contentHash }) => `${call.tenant.id} ${contentHash} ${revision}`)
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
        // Callers with later deadlines may join; the signal aborts when the last of them gives up.
        (inputs, signal) => compute(vision, inputs, { ...call, signal, deadline: Infinity }),
        call.signal,
      )
      return keys.map((key) => outcomes.get(key) ?? computed.get(key)!)
    },
    stats: () => ({ hits: counts.hits, misses: counts.misses, entries: kept.size }),
  }
}

/** Copies an embedding, which arrives as a view that would keep its whole message in memory. */
function detached(outcome: PhotoOutcome): PhotoOutcome {
  if (!outcome.ok) return outcome
  const { embedding, nsfw } = outcome.analysis
  return { ok: true, analysis: { embedding: embedding.slice(), nsfw } }
}
