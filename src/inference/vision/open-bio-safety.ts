import type { InferenceSession } from 'onnxruntime-node'
import type { BioSafetyPack } from '../../models/open-pack.js'
import type { TextJudgement } from '../vision.js'
import type { Batching } from './batching.js'
import { loadCaptionTokenizer } from './caption-tokenizer.js'
import { judgeText } from './judge-text.js'
import { openTextModel } from './text-model.js'

/** Judges parts of bios, one judgement for each, in order. */
export interface BioSafetyModel {
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
  const model = await openTextModel(session, {
    section: section.text,
    tokenizer: await loadCaptionTokenizer(section.tokenizer, section.text.maxTokens),
    width: section.classes.length,
    batchLimit: batching.texts,
  })
  return {
    judge: async (texts) => (await model.run(texts)).map((logits) => judgeText(logits, section)),
  }
}
