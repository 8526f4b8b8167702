import type { BioSafetyPack } from '../../packs/open-pack.js'
import type { Batching } from './batching.js'
import { readLogits, type TextOdds } from './classify-bio.js'
import type { ModelSession } from './model-session.js'
import { openTextModel } from './text-model.js'

export interface BioSafetyModel {
  /**
   * Returns the odds of each text, in order. A text longer than the context window is read in several windows; the worst counts.
   */
  read(texts: readonly string[], signal?: AbortSignal): Promise<TextOdds[]>
}

/**
 * @throws PackMismatchError when the classifier does not match the pack's section
 */
export async function openBioSafety(
  { bioSafety: section }: BioSafetyPack,
  session: ModelSession,
  batching: Batching,
): Promise<BioSafetyModel> {
  const { tokenizer, run } = await openTextModel(session, {
    section,
    width: section.classes.length,
    batchLimit: batching.texts,
    isParallel: batching.concurrency > 1,
  })
  return {
    read: async (texts, signal) => {
      const windows = texts.map(tokenizer.encodeWindows)
      const rows = await run(windows.flat(), signal)
      const odds = rows.map((logits) => readLogits(logits, section))
      return windows.map(({ length }) => worst(odds.splice(0, length)))
    },
  }
}

function worst(windows: readonly TextOdds[]): TextOdds {
  return windows.reduce((left, right) => (right.logOdds > left.logOdds ? right : left))
}
