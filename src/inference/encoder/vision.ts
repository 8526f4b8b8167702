import type { MatchCategory } from '../../packs/match-section.js'
import type { TextRisk } from '../../packs/text-risks.js'
import type { InferenceCall } from '../inference-call.js'

/** Output of the models for one photo. */
export interface PhotoAnalysis {
  /** [d] float32 of unit norm, in the space of `embedTexts`. */
  embedding: Float32Array
  /** Probability in [0, 1] that the photo is not safe for work. */
  nsfw: number
}

/** The outcome for one photo; the caller refuses bytes that are no decodable image. */
export type PhotoOutcome = { ok: true; analysis: PhotoAnalysis } | { ok: false; reason: string }

/** A bio as the classifier reads it: the whole, then its parts. */
export type BioReading = readonly [string, ...string[]]

/**
 * Classification of a bio by the thresholds of the pack; `unsure` lies between them. An unsafe bio has at least one risk: the most
 * probable one of each unsafe part.
 */
export type BioClassification =
  { verdict: 'unsafe'; risks: TextRisk[] } | { verdict: 'unsure' | 'harmless' }

/** Two profiles as plain text. */
export type ProfilePair = readonly [string, string]

/** Output of the match model for two profiles, independent of their order. */
export interface PairScores {
  /** Logit of a good match. */
  compatibility: number
  /** Logit of each category as the best description of the match; comparable only with each other. */
  categories: Record<MatchCategory, number>
}

/** The vision models as the rest of the service sees them; real ones live in the vision worker. */
export interface VisionModel {
  /** One outcome for each encoded image (JPEG, PNG, WebP, AVIF or GIF), in order. */
  analyzePhotos(photos: readonly Uint8Array[], call: InferenceCall): Promise<PhotoOutcome[]>
  /** One [d] float32 embedding of unit norm for each text, in order. */
  embedTexts(texts: readonly string[], call: InferenceCall): Promise<Float32Array[]>
  /** As `embedTexts`, for texts of the service itself, never of users: the embeddings are kept on disk. */
  embedCaptions(captions: readonly string[], call: InferenceCall): Promise<Float32Array[]>
  /** @param readings - one bio, read in one or several ways */
  classifyBio(readings: readonly BioReading[], call: InferenceCall): Promise<BioClassification>
  /** Scores of each pair of profiles, in order. */
  scorePairs(pairs: readonly ProfilePair[], call: InferenceCall): Promise<PairScores[]>
  /** Changes whenever embeddings are not comparable with earlier ones: pack name and digest. */
  revision(): string
  /** Factor on cosine similarities before a softmax over captions. */
  logitScale(): number
}

/** `properties` in the `WorkerInfo` of the vision worker. */
export type VisionProperties = {
  /** See `VisionModel.revision`. */
  revision: string
  logitScale: number
}

/** Methods of the vision worker. */
export type VisionMethods = {
  analyzePhotos: { request: { photos: Uint8Array[] }; result: PhotoOutcome[] }
  embedTexts: { request: { texts: string[] }; result: Float32Array[] }
  classifyBio: { request: { readings: BioReading[] }; result: BioClassification }
  scorePairs: { request: { pairs: ProfilePair[] }; result: PairScores[] }
}
