import type { InferenceCall } from '../inference/call.js'
import type { BioClassification, VisionModel } from '../inference/encoder/vision.js'
import { listBioParts } from './bio-parts.js'
import { TEXT_RISKS, type TextRisk } from '../packs/text-risks.js'
import { foldText } from './text-rules/folded-text.js'
import { assessText, type TextAssessment } from './text-safety.js'

/** Tells unsafe bios from harmless ones, by rules of words and by meaning. */
export interface BioSafety {
  /** The gravest risk a bio is refused for; undefined when it may be worked with. */
  findRisk(bio: string, call: InferenceCall): Promise<TextRisk | undefined>
}

export function createBioSafety({ vision }: { vision: VisionModel }): BioSafety {
  return {
    async findRisk(bio, call) {
      if (bio.trim() === '') return undefined
      const assessment = assessText(bio)
      const readings = [listBioParts(bio)]
      // What a rule read with masked letters, the model has to read too before it may excuse it.
      if (!assessment.safe) readings.push(listBioParts(readThroughMasks(bio)))
      return weigh(assessment, await vision.classifyBio(readings, call))
    },
  }
}

/**
 * What rules and model say together. A word that a rule knows may stand in a harmless bio, and the model sees when it does.
 */
function weigh(assessment: TextAssessment, judgement: BioClassification): TextRisk | undefined {
  const found = new Set(judgement.verdict === 'unsafe' ? judgement.risks : [])
  if (!assessment.safe && judgement.verdict !== 'harmless') found.add(assessment.category)
  return TEXT_RISKS.find((risk) => found.has(risk))
}

function readThroughMasks(bio: string): string {
  const { plain, unmasked } = foldText(bio)
  return unmasked ?? plain
}
