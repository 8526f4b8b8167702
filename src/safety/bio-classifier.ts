import type { InferenceCall } from '../inference/call.js'
import { cosine, type TextSimilarity } from '../text/text-similarity.js'
import weights from './bio-classifier.json' with { type: 'json' }
import { isTextRisk, type TextRisk } from './text-safety.js'

/** Judges a bio by the meaning of its parts. */
export interface BioClassifier {
  /**
   * The likeliest risk of the part that is most likely unsafe; undefined when every part is taken for harmless.
   * @param parts - [d] float32 of unit norm each
   */
  findRisk(parts: readonly Float32Array[]): TextRisk | undefined
}

export interface ClassifierWeights {
  /** A text and its embedding, by which the space that the weights are for is recognised. */
  probe: { text: string; embedding: readonly number[] }
  /** Log-odds of being unsafe from which a part counts as unsafe. */
  threshold: number
  /** Linear layers by class; the softmax over them gives the probabilities. */
  classes: readonly { name: string; bias: number; weights: readonly number[] }[]
}

/** Embeddings of one text by two builds of the same model are alike to this degree: int8 differs between machines. */
const SAME_SPACE = 0.97

/**
 * Softmax regression on sentence embeddings, fitted by `scripts/fit-bio-safety.js`. Undefined for packs whose text space
 * is another one than it was fitted in.
 */
export async function loadBioClassifier(
  similarity: Pick<TextSimilarity, 'embed'>,
  call: InferenceCall,
): Promise<BioClassifier | undefined> {
  const [probe] = await similarity.embed([weights.probe.text], call)
  return isSameSpace(probe!, weights) ? createBioClassifier(weights) : undefined
}

function isSameSpace(embedding: Float32Array, { probe }: ClassifierWeights): boolean {
  return (
    embedding.length === probe.embedding.length &&
    cosine(embedding, Float32Array.from(probe.embedding)) >= SAME_SPACE
  )
}

export function createBioClassifier({ classes, threshold }: ClassifierWeights): BioClassifier {
  const layers = classes.map(({ name, bias, weights }) => ({
    risk: isTextRisk(name) ? name : undefined,
    bias,
    weights: Float32Array.from(weights),
  }))
  return {
    findRisk(parts) {
      const judged = parts.map((part) => {
        const scored = layers.map(({ risk, bias, weights }) => ({
          risk,
          logit: bias + cosine(part, weights),
        }))
        return judge(scored)
      })
      const [worst] = judged.sort((left, right) => right.logOdds - left.logOdds)
      return worst && worst.logOdds >= threshold ? worst.risk : undefined
    },
  }
}

interface ScoredClass {
  /** Undefined for the class of harmless bios. */
  risk: TextRisk | undefined
  logit: number
}

function judge(scored: readonly ScoredClass[]): { risk: TextRisk | undefined; logOdds: number } {
  const risks = scored
    .filter(({ risk }) => risk !== undefined)
    .sort((left, right) => right.logit - left.logit)
  const unsafe = logSumExp(risks.map(({ logit }) => logit))
  const harmless = logSumExp(
    scored.filter(({ risk }) => risk === undefined).map(({ logit }) => logit),
  )
  return { risk: risks[0]?.risk, logOdds: unsafe - harmless }
}

function logSumExp(logits: readonly number[]): number {
  const highest = Math.max(...logits)
  return highest + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - highest), 0))
}
