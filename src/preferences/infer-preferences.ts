import type { AppContext } from '../context.js'
import { endpoint } from '../http/endpoint.js'
import type { InferenceCall } from '../inference/call.js'
import { describeModelsInUse } from '../profile/models-in-use.js'
import { withOneRevision } from '../inference/per-revision.js'
import { assertSafeBio } from '../safety/assert-safe.js'
import { readBio } from './bio-preferences.js'
import { collectEntries } from './collect-entries.js'
import { explainPreferences, explainReading, type JudgedBio } from './explain-preferences.js'
import { judgeEntries } from './judge-entries.js'
import type { EntryKind } from './learnt-entries.js'
import type { PhotoTag } from '../profile/photo-tagger.js'
import {
  inferPreferencesRequestSchema,
  inferPreferencesResponseSchema,
  type Evidence,
  type InferPreferencesResponse,
} from './preferences-contract.js'
import { readProfileTerms } from './profile-terms.js'
import { seePhotos } from '../profile/see-photos.js'
import { syntheticPreferences } from './synthetic-preferences.js'

export const inferPreferencesEndpoint = endpoint({
  capability: 'profile.infer_preferences',
  priority: 'batch',
  summary: "Builds a preference model from a user's photos and bio",
  body: inferPreferencesRequestSchema,
  response: inferPreferencesResponseSchema,
  missingFieldCodes: { user: 'invalid_user' },
  synthesize: syntheticPreferences,
  async handle(context, { user }, call) {
    const { inference } = call
    await assertSafeBio(context, { bio: user.bio, field: 'user.bio' }, inference)
    const { photos, inferred } = await withOneRevision(context.vision, async () => {
      const photos = await seePhotos(
        context,
        { references: user.photos, label: 'user.photos' },
        inference,
      )
      const tags = photos.map((photo) => photo.tags)
      return {
        photos,
        inferred: await inferPreferences(context, { bio: user.bio, tags }, inference),
      }
    })
    const { preferences, evidence, judgedBio } = inferred
    const answer = { request_id: call.requestId, preferences, evidence }
    if (!call.wantsExplanation) return answer
    const models = describeModelsInUse(context.models)
    return { ...answer, explain: explainPreferences(models, photos, judgedBio) }
  },
})

export interface InferenceMaterial {
  bio: string
  /** Tags of each photo. */
  tags: readonly (readonly PhotoTag[])[]
}

export interface InferredPreferences extends Pick<
  InferPreferencesResponse,
  'preferences' | 'evidence'
> {
  /** What the language model read in the bio, and which of it is told. */
  judgedBio: JudgedBio
}

/**
 * Preferences with their evidence, from the tags of each photo and the bio. Compares embeddings before and after the
 * language model has read the bio, so it belongs into `withOneRevision`.
 */
export async function inferPreferences(
  context: Pick<AppContext, 'language' | 'prompts' | 'textSimilarity' | 'learntEntries'>,
  { bio, tags }: InferenceMaterial,
  call: InferenceCall,
): Promise<InferredPreferences> {
  const [similarity, learnt] = [await context.textSimilarity(), await context.learntEntries()]
  const terms = await readProfileTerms({ bio, tags }, similarity, call)
  const read = await readBio(
    { bio, photoTags: terms.tags.map(({ text }) => text) },
    { language: context.language, prompts: context.prompts(), call },
  )
  const candidates = await collectEntries(
    { bio, tags, terms, read: read.entries },
    { similarity, learnt },
    call,
  )
  const evidence = judgeEntries(candidates, learnt, similarity.standardize)
  return {
    preferences: {
      interests: valuesOf(evidence, 'interest'),
      lifestyle: valuesOf(evidence, 'lifestyle'),
    },
    evidence,
    judgedBio: explainReading(read, candidates, evidence),
  }
}

function valuesOf(evidence: readonly Evidence[], kind: EntryKind): string[] {
  return [...new Set(evidence.filter((piece) => piece.kind === kind).map((piece) => piece.value))]
}
