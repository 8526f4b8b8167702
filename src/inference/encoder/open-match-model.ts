import type { MatchSection } from '../../packs/match-section.js'
import type { MatchPack } from '../../packs/open-pack.js'
import type { PairScores, ProfilePair } from './vision.js'
import type { Batching } from './batching.js'
import type { ModelSession } from './model-session.js'
import { openTextModel } from './text-model.js'

export interface MatchModel {
  /** Scores each pair, in order. Both orders of a pair are read, so that the result is symmetric. */
  score(pairs: readonly ProfilePair[], signal?: AbortSignal): Promise<PairScores[]>
}

/**
 * @throws PackMismatchError when the model does not match the pack's section
 */
export async function openMatchModel(
  { match: section }: MatchPack,
  session: ModelSession,
  batching: Batching,
): Promise<MatchModel> {
  const { tokenizer, run } = await openTextModel(session, {
    section,
    width: section.outputs.length,
    batchLimit: batching.texts,
    isParallel: batching.concurrency > 1,
  })
  return {
    score: async (pairs, signal) => {
      const encoded = pairs.flatMap(([a, b]) => [
        tokenizer.encodePair(a, b),
        tokenizer.encodePair(b, a),
      ])
      const rows = await run(encoded, signal)
      return pairs.map((_, i) => meanScores(rows[2 * i]!, rows[2 * i + 1]!, section))
    },
  }
}

/** The mean of both orders, [outputs] logits each. */
function meanScores(
  forth: Float32Array,
  back: Float32Array,
  { outputs }: Pick<MatchSection, 'outputs'>,
): PairScores {
  const mean = Object.fromEntries(outputs.map((name, i) => [name, (forth[i]! + back[i]!) / 2]))
  const { compatibility, ...categories } = mean as Record<(typeof outputs)[number], number>
  return { compatibility, categories }
}
