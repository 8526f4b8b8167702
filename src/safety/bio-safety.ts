import type { InferenceCall } from '../inference/inference-call.js'
import type { BioClassification, VisionModel } from '../inference/encoder/vision.js'
import { listBioParts } from './bio-parts.js'
import { TEXT_RISKS, type TextRisk } from '../packs/text-risks.js'
import { foldText } from './text-rules/folded-text.js'
import { assessText, type TextAssessment } from './text-safety.js'

/** Finds unsafe bios with word rules and a classifier. */
export interface BioSafety {
  /** The gravest risk for which a bio is refused; undefined if it is accepted. */
  findRisk(bio: string, call: InferenceCall): Promise<TextRisk | undefined>
}

export function createBioSafety({
  vision,
}: {
  vision: Pick<VisionModel, 'classifyBio'>
}): BioSafety {
  return {
    async findRisk(bio, call) {
      if (bio.trim() === '') return undefined
      const assessment = assessText(bio)
      const readings = [listBioParts(bio)]
      // A rule may have matched behind masked letters, so the model must see the same text before it can overrule.
      if (!assessment.safe) readings.push(listBioParts(unmask(bio)))
      return combine(assessment, await vision.classifyBio(readings, call))
    },
  }
}

/** The model overrules the word rules if it is sure that a bio is harmless. */
function combine(
  assessment: TextAssessment,
  classification: BioClassification,
): TextRisk | undefined {
  const found = new Set(classification.verdict === 'unsafe' ? classification.risks : [])
  if (!assessment.safe && classification.verdict !== 'harmless') found.add(assessment.category)
  return TEXT_RISKS.find((risk) => found.has(risk))
}

/** The folded text, with masked letters such as the 3 of "s3x" restored. */
function unmask(bio: string): string {
  const { plain, unmasked } = foldText(bio)
  return unmasked ?? plain
}
