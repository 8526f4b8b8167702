import type { AppContext } from '../context.js'
import { endpoint } from '../endpoint.js'
import type { InferenceCall } from '../inference/call.js'
import { describeModelsInUse } from '../inference/models-in-use.js'
import { assertSafeBio } from '../safety/assert-safe.js'
import { findInterestsInBio } from './bio-interests.js'
import { readBioPreferences, round, type BioTools } from './bio-preferences.js'
import { explainPreferences, type JudgedBio } from './explain-preferences.js'
import type { PhotoTag } from './photo-tagger.js'
import {
  inferPreferencesRequestSchema,
  inferPreferencesResponseSchema,
  type Evidence,
  type InferPreferencesResponse,
} from './preferences-contract.js'
import { seePhotos } from './see-photos.js'
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
    const photos = await seePhotos(
      context,
      { references: user.photos, label: 'user.photos' },
      inference,
    )
    const tags = photos.map((photo) => photo.tags)
    let judgedBio: JudgedBio | undefined
    const onJudgedBio = (judged: JudgedBio) => (judgedBio = judged)
    const inferred = await inferPreferences(
      context,
      { bio: user.bio, tags, onJudgedBio },
      inference,
    )
    const answer = { request_id: call.requestId, ...inferred }
    if (!call.wantsExplanation || !judgedBio) return answer
    const models = describeModelsInUse(context.models)
    return { ...answer, explain: explainPreferences(models, photos, judgedBio) }
  },
})

export interface InferenceMaterial {
  bio: string
  /** Tags of each photo. */
  tags: readonly (readonly PhotoTag[])[]
  onJudgedBio?: BioTools['onJudged']
}

/** Preferences with their evidence, from the tags of each photo and the bio. */
export async function inferPreferences(
  context: Pick<AppContext, 'language' | 'prompts' | 'textSimilarity'>,
  { bio, tags, onJudgedBio }: InferenceMaterial,
  call: InferenceCall,
): Promise<Pick<InferPreferencesResponse, 'preferences' | 'evidence'>> {
  const similarity = await context.textSimilarity()
  const photoTags = [...new Set(tags.flat().map((tag) => tag.definition.tag))]
  const fromModel = await readBioPreferences(
    { bio, photoTags },
    {
      language: context.language,
      prompts: context.prompts(),
      similarity,
      call,
      onJudged: onJudgedBio,
    },
  )
  const fromBio = findInterestsInBio(bio).map((value): Evidence => ({
    kind: 'interest',
    value,
    source: 'bio',
    confidence: 0.95,
  }))
  const evidence = keepSurest([...tags.flatMap(evidenceOfPhoto), ...fromBio, ...fromModel])
  return {
    preferences: {
      interests: valuesOf(evidence, 'interest'),
      lifestyle: valuesOf(evidence, 'lifestyle'),
    },
    evidence,
  }
}

function evidenceOfPhoto(tags: readonly PhotoTag[], photo: number): Evidence[] {
  return tags.flatMap(({ definition, probability }) => {
    const common = { source: 'photo' as const, photo, confidence: round(probability) }
    return [
      ...definition.interests.map((value) => ({ kind: 'interest' as const, value, ...common })),
      ...definition.lifestyle.map((value) => ({ kind: 'lifestyle' as const, value, ...common })),
    ]
  })
}

/** One piece of evidence for each entry and source, surest first. */
function keepSurest(evidence: readonly Evidence[]): Evidence[] {
  const surest = new Map<string, Evidence>()
  for (const piece of evidence) {
    const key = [piece.kind, piece.value, piece.source, piece.photo].join('\n')
    const known = surest.get(key)
    if (!known || known.confidence < piece.confidence) surest.set(key, piece)
  }
  return [...surest.values()].sort((left, right) => right.confidence - left.confidence)
}

function valuesOf(evidence: readonly Evidence[], kind: Evidence['kind']): string[] {
  return [...new Set(evidence.filter((piece) => piece.kind === kind).map((piece) => piece.value))]
}
