import type { InferenceCall } from '../inference/inference-call.js'
import type { VisionModel } from '../inference/encoder/vision.js'
import type { LanguageModel } from '../inference/language/language.js'
import type { Prompts } from '../inference/language/prompts.js'
import type { Models } from '../inference/open-models.js'
import { describeModelsInUse } from '../profile/models-in-use.js'
import { retryOnRevisionChange } from '../inference/once-per-revision.js'
import { assertSafeBio } from '../safety/assert-safe.js'
import type { BioSafety } from '../safety/bio-safety.js'
import type { Metrics } from '../telemetry/metrics.js'
import { isModelUnavailable } from '../inference/model-unavailable.js'
import { readBio, UNREAD_BIO, type ReadBio } from './bio-preferences.js'
import { collectEntries } from './collect-entries.js'
import { explainPreferences, explainBio, type BioExplanation } from './explain-preferences.js'
import { selectEntries } from './select-entries.js'
import type { EntryKind, LearnedEntries } from './learned-entries.js'
import type { PhotoTag } from '../profile/photo-tagger.js'
import {
  inferPreferencesRequestSchema,
  inferPreferencesResponseSchema,
  type Evidence,
  type InferPreferencesRequest,
  type InferPreferencesResponse,
} from './preferences-contract.js'
import { embedProfileTerms } from './profile-terms.js'
import type { Call } from '../profile/call-context.js'
import { seePhotos, type PhotoParts } from '../profile/see-photos.js'
import type { TextSimilarity } from '../profile/text-similarity.js'
import { syntheticPreferences } from './synthetic-preferences.js'

/** Parts that infer preferences from tags and bio. */
export interface InferenceParts {
  language: LanguageModel
  prompts: () => Prompts
  textSimilarity: () => Promise<TextSimilarity>
  learnedEntries: () => Promise<LearnedEntries | undefined>
}

/** Parts that answer the whole call. */
export interface PreferencesParts extends InferenceParts, PhotoParts {
  vision: VisionModel
  models: Models
  bioSafety: BioSafety
  metrics: Metrics
}

const PHOTOS = 'user.photos'

export const inferPreferencesCall = {
  capability: 'profile.infer_preferences',
  priority: 'batch',
  summary: "Builds a preference model from a user's photos and bio",
  body: inferPreferencesRequestSchema,
  response: inferPreferencesResponseSchema,
  missingFieldCodes: { user: 'invalid_user' },
  photosIn: ({ user }: InferPreferencesRequest) => ({ [PHOTOS]: user.photos }),
  synthesize: syntheticPreferences,
  handle: answerPreferences,
} as const

async function answerPreferences(
  parts: PreferencesParts,
  { user: { bio } }: InferPreferencesRequest,
  { requestId, wantsExplanation, inference, photos: loaded }: Call,
): Promise<InferPreferencesResponse> {
  await assertSafeBio(parts, { bio, field: 'user.bio' }, inference)
  const { photos, inferred } = await retryOnRevisionChange(parts.vision, async () => {
    const photos = await seePhotos(parts, { photos: loaded, field: PHOTOS }, inference)
    const tags = photos.map((photo) => photo.tags)
    return { photos, inferred: await inferPreferences(parts, { bio, tags }, inference) }
  })
  const { preferences, evidence, bioExplanation } = inferred
  const answer = { request_id: requestId, preferences, evidence }
  if (!wantsExplanation) return answer
  const models = describeModelsInUse(parts.models)
  return { ...answer, explain: explainPreferences(models, photos, bioExplanation) }
}

export interface InferenceMaterial {
  bio: string
  /** Tags of each photo. */
  tags: readonly (readonly PhotoTag[])[]
  /** Go on without what the language model would read in the bio while it is unavailable. Default: fail. */
  bioMayBeUnread?: boolean
}

export interface InferredPreferences extends Pick<
  InferPreferencesResponse,
  'preferences' | 'evidence'
> {
  /** What the language model read in the bio, and which entries of it were selected. */
  bioExplanation: BioExplanation
}

/**
 * Preferences with their evidence, from the tags of each photo and the bio. Compares embeddings before and after the
 * language model has read the bio, so call it inside `retryOnRevisionChange`.
 */
export async function inferPreferences(
  parts: InferenceParts,
  { bio, tags, bioMayBeUnread = false }: InferenceMaterial,
  call: InferenceCall,
): Promise<InferredPreferences> {
  const [similarity, learned] = [await parts.textSimilarity(), await parts.learnedEntries()]
  const terms = await embedProfileTerms({ bio, tags }, similarity, call)
  const photoTags = terms.tags.map(({ text }) => text)
  const read = await readOrSkipBio(parts, { bio, photoTags, bioMayBeUnread }, call)
  const candidates = await collectEntries(
    { bio, tags, terms, read: read.entries },
    { similarity, learned },
    call,
  )
  const evidence = selectEntries(candidates, learned, similarity.standardize)
  return {
    preferences: {
      interests: valuesOf(evidence, 'interest'),
      lifestyle: valuesOf(evidence, 'lifestyle'),
    },
    evidence,
    bioExplanation: explainBio(read, candidates, evidence),
  }
}

async function readOrSkipBio(
  { language, prompts }: InferenceParts,
  { bio, photoTags, bioMayBeUnread }: { bio: string; photoTags: string[]; bioMayBeUnread: boolean },
  call: InferenceCall,
): Promise<ReadBio> {
  try {
    return await readBio({ bio, photoTags }, { language, prompts: prompts(), call })
  } catch (error) {
    if (bioMayBeUnread && isModelUnavailable(error) && !call.signal.aborted) return UNREAD_BIO
    throw error
  }
}

function valuesOf(evidence: readonly Evidence[], kind: EntryKind): string[] {
  return [...new Set(evidence.filter((piece) => piece.kind === kind).map((piece) => piece.value))]
}
