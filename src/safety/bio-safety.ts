import { startUpCall, type InferenceCall } from '../inference/call.js'
import { perRevision } from '../inference/per-revision.js'
import type { VisionModel } from '../inference/vision.js'
import type { TextSimilarity } from '../text/text-similarity.js'
import { loadBioClassifier, type BioClassifier } from './bio-classifier.js'
import { listBioParts } from './bio-parts.js'
import { assessText, type TextRisk } from './text-safety.js'

/** Tells unsafe bios from harmless ones: the rules of words first, then meaning, where the CLIP pack allows it. */
export interface BioSafety {
  /** The risk a bio is refused for; undefined when it may be worked with. */
  findRisk(bio: string, call: InferenceCall): Promise<TextRisk | undefined>
  /** Computes what the first bio would otherwise wait for. */
  warmUp(): Promise<void>
}

export interface BioSafetyParts {
  vision: VisionModel
  textSimilarity: () => Promise<TextSimilarity>
}

export function createBioSafety({ vision, textSimilarity }: BioSafetyParts): BioSafety {
  const classifier = perRevision(vision, async (): Promise<BioClassifier | undefined> => {
    return loadBioClassifier(await textSimilarity(), startUpCall())
  })
  return {
    async findRisk(bio, call) {
      const assessment = assessText(bio)
      if (!assessment.safe) return assessment.category
      const judge = await classifier()
      if (!judge) return undefined
      const similarity = await textSimilarity()
      return judge.findRisk(await similarity.embed(listBioParts(bio), call))
    },
    warmUp: async () => void (await classifier()),
  }
}
