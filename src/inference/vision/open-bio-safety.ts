import type { InferenceSession } from 'onnxruntime-node'
import type { BioSafetyPack } from '../../models/open-pack.js'
import type { TextJudgement } from '../vision.js'
import type { Batching } from './batching.js'
import { judgeText } from './judge-text.js'
import { openTextModel } from './text-model.js'

export interface BioSafetyModel {
  /**
   * One judgement for each part of a bio, in order. What is longer than the model's context window is read in several
   * windows, and judged as the gravest of them.
   */
  judge(texts: readonly string[]): Promise<TextJudgement[]>
}

/**
 * @throws PackMismatchError when the classifier does not fit the pack's section
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
    judge: async (texts) => {
      const windows = texts.map(tokenizer.encodeWindows)
      const rows = await run(windows.flat())
      const judgements = rows.map((logits) => judgeText(logits, section))
      return windows.map(({ length }) => gravest(judgements.splice(0, length)))
    },
  }
}

function gravest(judgements: readonly TextJudgement[]): TextJudgement {
  return judgements.reduce((left, right) => (right.logOdds > left.logOdds ? right : left))
}
