import type { InferenceSession } from 'onnxruntime-node'
import type { BioSafetyPack } from '../../packs/open-pack.js'
import type { Batching } from './batching.js'
import { readLogits, type TextOdds } from './classify-bio.js'
import { openTextModel } from './text-model.js'

export interface BioSafetyModel {
  /**
   * Returns the odds of each text, in order. A text longer than the context window is read in several windows; the worst counts.
   */
  read(texts: readonly string[]): Promise<TextOdds[]>
}

/**
 * @throws PackMismatchError when the classifier does not match the pack's section
 */
export async function openBioSafety(
  { bioSafety: section }: BioSafetyPack,
  session: InferenceSession,
  batching: Batching,
): Promise<BioSafetyModel> {
  const { tokenizer, run } = await openTextModel(session, {
    section,
    width: section.classes.length,
    batchLimit: batching.texts,
  })
  return {
    read: async (texts) => {
      const windows = texts.map(tokenizer.encodeWindows)
      const rows = await run(windows.flat())
      const odds = rows.map((logits) => readLogits(logits, section))
      return windows.map(({ length }) => worst(odds.splice(0, length)))
    },
  }
}

function worst(windows: readonly TextOdds[]): TextOdds {
  return windows.reduce((left, right) => (right.logOdds > left.logOdds ? right : left))
}
